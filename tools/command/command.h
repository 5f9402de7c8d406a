/* command.h - the subcommands of `tenon`. Each is one function in one file, listed in main.c's table.
 *
 * A subcommand gets the arguments from its own name on and returns the exit status: 0 when it did what was asked, 1 when that
 * failed, 2 when it was called wrongly. It sees only Tenon's public headers, as any program does.
 */
#ifndef TENON_COMMAND_H
#define TENON_COMMAND_H

enum { COMMAND_OK = 0, COMMAND_FAILED = 1, COMMAND_MISUSED = 2 };

int command_bench(int argc, char **argv);
int command_check(int argc, char **argv);
int command_completion(int argc, char **argv);
int command_convert(int argc, char **argv);
int command_diff(int argc, char **argv);
int command_doctor(int argc, char **argv);
int command_graph(int argc, char **argv);
int command_image(int argc, char **argv);
int command_info(int argc, char **argv);
int command_layout(int argc, char **argv);
int command_memory(int argc, char **argv);
int command_merge(int argc, char **argv);
int command_ops(int argc, char **argv);
int command_plot(int argc, char **argv);
int command_run(int argc, char **argv);
int command_show(int argc, char **argv);
int command_split(int argc, char **argv);
int command_stat(int argc, char **argv);
int command_tour(int argc, char **argv);
int command_version(int argc, char **argv);

/* The names of the subcommands, one by one; NULL after the last. */
const char *command_name(int i);

/* Says "tenon NAME: what was expected" on the error stream; returns COMMAND_MISUSED. */
int command_misused(const char *name, const char *expected);

/* Says "tenon: the waiting error of the library" on the error stream; returns COMMAND_FAILED. */
int command_failed(void);

#endif
