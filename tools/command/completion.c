/* completion.c - `tenon completion bash|zsh|fish`: a script for the shell, made from the table of subcommands. */
#include <stdio.h>
#include <string.h>

#include "command.h"

static const char completion_usage[] = "usage: tenon completion bash|zsh|fish\n"
                                       "\n"
                                       "A script that completes the words of this command.\n"
                                       "\n"
                                       "  tenon completion bash > ~/.local/share/bash-completion/completions/tenon\n"
                                       "  tenon completion zsh > ~/.zfunc/_tenon\n"
                                       "  tenon completion fish > ~/.config/fish/completions/tenon.fish\n";

static void completion_names(const char *between) {
    for (int i = 0; command_name(i); i++)
        printf("%s%s", i ? between : "", command_name(i));
}

int command_completion(int argc, char **argv) {
    const char *shell = argc == 2 ? argv[1] : "";
    if (strcmp(shell, "--help") == 0) {
        fputs(completion_usage, stdout);
        return COMMAND_OK;
    }
    static const char flags[] = "--help --json --only --format --dtype --shape --tree --to --svg --out";
    if (strcmp(shell, "bash") == 0) {
        printf(
            "_tenon() {\n    local word=${COMP_WORDS[COMP_CWORD]}\n    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        COMPREPLY=($(compgen -W \"");
        completion_names(" ");
        printf(
            " help\" -- \"$word\"))\n    elif [ \"${word#-}\" != \"$word\" ]; then\n        COMPREPLY=($(compgen -W \"%s\" -- \"$word\"))\n"
            "    else\n        COMPREPLY=($(compgen -f -- \"$word\"))\n    fi\n}\ncomplete -o filenames -F _tenon tenon\n",
            flags);
    } else if (strcmp(shell, "zsh") == 0) {
        printf("#compdef tenon\nif (( CURRENT == 2 )); then\n    compadd ");
        completion_names(" ");
        printf(" help\nelif [[ $PREFIX == -* ]]; then\n    compadd -- %s\nelse\n    _files\nfi\n", flags);
    } else if (strcmp(shell, "fish") == 0) {
        printf("complete -c tenon -n __fish_use_subcommand -f -a '");
        completion_names(" ");
        printf(" help'\nfor flag in help json only format dtype shape tree to svg out\n    complete -c tenon -l $flag\nend\n");
    } else {
        fputs(completion_usage, stderr);
        return COMMAND_MISUSED;
    }
    return COMMAND_OK;
}
