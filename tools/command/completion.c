/* completion.c - `tenon completion bash|zsh|fish`: a script for the shell. It has the subcommands from their table; options, chapters of the
 * tour and operators it asks the command for when they are wanted, so that it is never behind: what --help tells is what is completed.
 */
#include <stdio.h>
#include <string.h>

#include "command.h"

static const char completion_usage[] =
    "usage: tenon completion bash|zsh|fish\n"
    "\n"
    "A script that completes subcommands, their options, files, chapters of the tour and names of operators.\n"
    "\n"
    "  tenon completion bash > ~/.local/share/bash-completion/completions/tenon\n"
    "  tenon completion zsh > ~/.zfunc/_tenon\n"
    "  tenon completion fish > ~/.config/fish/completions/tenon.fish\n";

/* What each script does with the words. */
static const char bash_script[] =
    "_tenon() {\n"
    "    local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} before=${COMP_WORDS[COMP_CWORD-1]} words=\n"
    "    COMPREPLY=()\n"
    "    if [ \"$COMP_CWORD\" -eq 1 ] || { [ \"$command\" = help ] && [ \"$COMP_CWORD\" -eq 2 ]; }; then\n"
    "        words=\"$_tenon_commands\"\n"
    "    elif [ \"${word#-}\" != \"$word\" ]; then\n"
    "        words=$(\"${COMP_WORDS[0]}\" \"$command\" --help 2>/dev/null | grep -o -e '--[a-z][a-z-]*' | sort -u)\n"
    "    elif [ \"$before\" = --kind ]; then\n"
    "        words='line histogram heat'\n"
    "    elif [ \"$before\" = --to ] || [ \"$before\" = --format ] || [ \"$before\" = --in-format ]; then\n"
    "        words='npy npz safetensors pt gguf csv tsv raw'\n"
    "    elif [ \"$before\" = --dtype ] || [ \"$before\" = --in-dtype ]; then\n"
    "        words='float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 bool complex64 complex128'\n"
    "    elif [ \"$command\" = completion ]; then\n"
    "        words='bash zsh fish'\n"
    "    elif [ \"$command\" = tour ]; then\n"
    "        words=$(\"${COMP_WORDS[0]}\" tour --help 2>/dev/null | sed -n 's/^  \\([a-z]*\\)  .*/\\1/p')\n"
    "    elif [ \"$command\" = ops ]; then\n"
    "        words=$(\"${COMP_WORDS[0]}\" ops --names 2>/dev/null)\n"
    "    fi\n"
    "    if [ -n \"$words\" ]; then\n"
    "        COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
    "    fi\n" /* nothing: files, which readline completes by itself, with names that have spaces */
    "}\n"
    "complete -o default -o bashdefault -F _tenon tenon\n";

static const char zsh_script[] =
    "if (( CURRENT == 2 )) || [[ $words[2] == help ]]; then\n"
    "    compadd -- ${=_tenon_commands}\n"
    "elif [[ $PREFIX == -* ]]; then\n"
    "    compadd -- ${(f)\"$($words[1] $words[2] --help 2>/dev/null | grep -o -e '--[a-z][a-z-]*' | sort -u)\"}\n"
    "elif [[ $words[2] == completion ]]; then\n"
    "    compadd bash zsh fish\n"
    "elif [[ $words[2] == tour ]]; then\n"
    "    compadd -- ${(f)\"$($words[1] tour --help 2>/dev/null | sed -n 's/^  \\([a-z]*\\)  .*/\\1/p')\"}\n"
    "elif [[ $words[2] == ops ]]; then\n"
    "    compadd -- ${(f)\"$($words[1] ops --names 2>/dev/null)\"}\n"
    "else\n"
    "    _files\n"
    "fi\n";

static const char fish_script[] =
    "complete -c tenon -n __fish_use_subcommand -f -a \"$_tenon_commands\"\n"
    "complete -c tenon -n '__fish_seen_subcommand_from help' -f -a \"$_tenon_commands\"\n"
    "complete -c tenon -n '__fish_seen_subcommand_from completion' -f -a 'bash zsh fish'\n"
    "complete -c tenon -n '__fish_seen_subcommand_from tour' -f -a \"(tenon tour --help 2>/dev/null | string match -rg '^  ([a-z]+)  ')\"\n"
    "complete -c tenon -n '__fish_seen_subcommand_from ops' -f -a '(tenon ops --names 2>/dev/null)'\n"
    "complete -c tenon -n 'string match -q -- \"-*\" (commandline -ct)' -a "
    "'(tenon (commandline -opc)[2] --help 2>/dev/null | string match -ra -- \"--[a-z][a-z-]*\" | sort -u)'\n";

static void completion_names(const char *before, const char *after) {
    fputs(before, stdout);
    for (int i = 0; command_name(i); i++)
        printf("%s ", command_name(i));
    printf("help%s", after);
}

int command_completion(int argc, char **argv) {
    const char *shell = argc == 2 ? argv[1] : "";
    if (strcmp(shell, "--help") == 0 || strcmp(shell, "-h") == 0) {
        fputs(completion_usage, stdout);
    } else if (strcmp(shell, "bash") == 0) {
        completion_names("_tenon_commands='", "'\n");
        fputs(bash_script, stdout);
    } else if (strcmp(shell, "zsh") == 0) {
        completion_names("#compdef tenon\nlocal _tenon_commands='", "'\n");
        fputs(zsh_script, stdout);
    } else if (strcmp(shell, "fish") == 0) {
        completion_names("set -g _tenon_commands '", "'\n");
        fputs(fish_script, stdout);
    } else {
        fputs(completion_usage, stderr);
        return COMMAND_MISUSED;
    }
    return COMMAND_OK;
}
