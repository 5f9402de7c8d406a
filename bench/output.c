/* output.c - results as a table on the terminal, as Markdown and as CSV.
 *
 * All three say the same. In the CSV both ratios are of times: ratio_to_limit is a contestant's best time over the limit's
 * (1 is perfect, 2 takes twice as long), ratio_to_tenon its best time over Tenon's (above 1: Tenon is faster). The tables show
 * memory-bound rows and products the other way round, as the fraction of the limit that is reached.
 */
#include "output.h"

#include <string.h>

enum { CELL = 32, NAME_WIDTH = 40, TIME_WIDTH = 12 };

static void format_time(char *cell, double ns) {
    if (ns < 1e3)
        snprintf(cell, CELL, ns < 100 ? "%.1f ns" : "%.0f ns", ns);
    else if (ns < 1e6)
        snprintf(cell, CELL, "%.2f us", ns / 1e3);
    else
        snprintf(cell, CELL, ns < 1e8 ? "%.2f ms" : "%.0f ms", ns / 1e6);
}

static void figure_cell(char *cell, const bench_figure *figure) {
    snprintf(cell, CELL, "-");
    if (figure->present)
        format_time(cell, figure->best_ns);
}

static void limit_cell(char *cell, const bench_result *result) {
    snprintf(cell, CELL, "-");
    if (result->limit >= 0)
        figure_cell(cell, &result->figures[result->limit]);
}

/* How a contestant does against the limit: "2.31 x" it, or "0.93 of" it. */
static void against_cell(char *cell, const bench_result *result, int who) {
    snprintf(cell, CELL, "-");
    if (result->limit < 0 || !result->figures[who].present)
        return;
    double own = result->figures[who].best_ns, limit = result->figures[result->limit].best_ns;
    if (bench_limit_is_speed(result->workload->limit))
        snprintf(cell, CELL, "%.2f of", limit / own);
    else
        snprintf(cell, CELL, "%.2f x", own / limit);
}

static void target_cell(char *cell, const bench_workload *workload) {
    cell[0] = '\0';
    if (workload->target > 0 && bench_limit_is_speed(workload->limit))
        snprintf(cell, CELL, ">= %g of", workload->target);
    else if (workload->target > 0 && workload->limit == BENCH_LIMIT_NONE)
        snprintf(cell, CELL, "<= %g ns", workload->target);
    else if (workload->target > 0)
        snprintf(cell, CELL, "<= %g x", workload->target);
    else if (workload->no_faults)
        snprintf(cell, CELL, "no page fault");
}

static const char *verdict_word(int verdict) { return verdict < 0 ? "" : verdict ? "yes" : "NO"; }

/* The limits share one column; a peer that is not there has none. */
static bool has_column(const bench_contest *contest, int i) { return !contest->list[i].is_limit && contest->list[i].sample; }

/* "12.3 GB/s by streaming stores": what a row without Tenon is about. */
static void rate_note(char *note, size_t space, const bench_contest *contest, const bench_result *result) {
    note[0] = '\0';
    if (result->limit >= 0 && result->workload->limit == BENCH_LIMIT_FMA)
        snprintf(note, space, "%.1f GF",
                 2 * (double)result->workload->multiplications / result->figures[result->limit].best_ns);
    if (result->limit < 0 || result->bytes == 0)
        return;
    const char *name = contest->list[result->limit].name;
    const char *colon = strchr(name, ':');
    snprintf(note, space, "%.1f GB/s by %s", (double)result->bytes / result->figures[result->limit].best_ns,
             colon ? colon + 2 : name);
}

static void faults_note(char *note, size_t space, const bench_contest *contest, const bench_result *result) {
    bool any = false;
    size_t used = 0;
    note[0] = '\0';
    for (int i = 0; i < contest->count; i++)
        any = any || (result->figures[i].present && result->figures[i].faults >= 0.5);
    if (!any)
        return;
    for (int i = 0; i < contest->count && used < space; i++)
        if (!contest->list[i].is_limit && result->figures[i].present)
            used += (size_t)snprintf(note + used, space - used, "%s%s %.0f",
                                     used ? ", " : "page faults a call: ", contest->list[i].name, result->figures[i].faults);
}

static void note_of(char *note, size_t space, const bench_contest *contest, const bench_result *result) {
    if (!result->workload)
        snprintf(note, space, "%s", result->note);
    else if (!result->workload->run)
        rate_note(note, space, contest, result);
    else
        faults_note(note, space, contest, result);
}

void bench_print_head(const bench_contest *contest, const char *group) {
    printf("\n%-*s %3s %*s", NAME_WIDTH, group, "thr", TIME_WIDTH, "limit");
    for (int i = 0; i < contest->count; i++)
        if (has_column(contest, i))
            printf(" %*s", TIME_WIDTH, contest->list[i].name);
    printf(" %10s  %-13s\n", "to limit", "target met");
}

void bench_print_result(const bench_contest *contest, const bench_result *result) {
    char cell[CELL], note[256];
    note_of(note, sizeof note, contest, result);
    if (!result->workload) {
        printf("%-*s     %s %s\n", NAME_WIDTH, result->name, note, verdict_word(result->verdict));
        return;
    }
    limit_cell(cell, result);
    printf("%-*s %3d %*s", NAME_WIDTH, result->name, (int)result->threads, TIME_WIDTH, cell);
    for (int i = 0; i < contest->count; i++)
        if (has_column(contest, i)) {
            figure_cell(cell, &result->figures[i]);
            printf(" %*s", TIME_WIDTH, cell);
        }
    against_cell(cell, result, contest->tenon);
    printf(" %10s", cell);
    target_cell(cell, result->workload);
    printf("  %-13s %s\n", cell, verdict_word(result->verdict));
    if (note[0])
        printf("%-*s     %s\n", NAME_WIDTH, "", note);
    fflush(stdout);
}

void bench_write_csv(FILE *file, const bench_contest *contest, const bench_result *results, int count) {
    fprintf(file, "workload,peer,threads,best_ns,median_ns,bytes,ratio_to_limit,ratio_to_tenon,faults,rounds,group,note\n");
    for (int r = 0; r < count; r++) {
        const bench_result *result = &results[r];
        const bench_figure *own = &result->figures[contest->tenon];
        bool any = false;
        for (int i = 0; i < contest->count; i++) {
            const bench_figure *figure = &result->figures[i];
            if (!figure->present)
                continue;
            any = true;
            fprintf(file, "%s,%s,%lld,%.2f,%.2f,%lld,", result->name, contest->list[i].name, (long long)result->threads,
                    figure->best_ns, figure->median_ns, (long long)result->bytes);
            if (result->limit >= 0)
                fprintf(file, "%.4f", figure->best_ns / result->figures[result->limit].best_ns);
            fprintf(file, ",");
            if (own->present)
                fprintf(file, "%.4f", figure->best_ns / own->best_ns);
            fprintf(file, ",%.0f,%d,%s,%s\n", figure->faults, result->rounds, result->group,
                    result->workload ? "" : result->note);
        }
        if (!any)
            fprintf(file, "%s,Tenon,%lld,,,%lld,,,,,%s,%s\n", result->name, (long long)result->threads,
                    (long long)result->bytes, result->group, result->note);
    }
}

static void markdown_head(FILE *file, const bench_contest *contest, const bench_result *result) {
    fprintf(file, "\n### %c%s\n\n", result->group[0] & ~0x20, result->group + 1);
    if (!result->workload) {
        fprintf(file, "| what | figure | met |\n|---|---|---|\n");
        return;
    }
    fprintf(file, "| workload | threads | limit |");
    for (int i = 0; i < contest->count; i++)
        if (has_column(contest, i))
            fprintf(file, " %s |", contest->list[i].name);
    fprintf(file, " Tenon to limit | target | met |\n|---|---|---|");
    for (int i = 0; i < contest->count; i++)
        if (has_column(contest, i))
            fprintf(file, "---|");
    fprintf(file, "---|---|---|\n");
}

void bench_write_markdown(FILE *file, const bench_contest *contest, const bench_result *results, int count) {
    const char *group = "";
    for (int r = 0; r < count; r++) {
        const bench_result *result = &results[r];
        char cell[CELL], note[256];
        if (strcmp(group, result->group) != 0)
            markdown_head(file, contest, result);
        group = result->group;
        note_of(note, sizeof note, contest, result);
        if (!result->workload) {
            fprintf(file, "| %s | %s | %s |\n", result->name, note, verdict_word(result->verdict));
            continue;
        }
        limit_cell(cell, result);
        fprintf(file, "| %s%s%s%s | %d | %s |", result->name, note[0] ? " (" : "", note, note[0] ? ")" : "",
                (int)result->threads, cell);
        for (int i = 0; i < contest->count; i++)
            if (has_column(contest, i)) {
                figure_cell(cell, &result->figures[i]);
                fprintf(file, " %s |", cell);
            }
        against_cell(cell, result, contest->tenon);
        fprintf(file, " %s |", cell);
        target_cell(cell, result->workload);
        fprintf(file, " %s | %s |\n", cell, verdict_word(result->verdict));
    }
}
