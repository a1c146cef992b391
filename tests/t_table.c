/* SPDX-License-Identifier: BSD-3-Clause */
/* Models that users write as tables of energies: the shipped ones are what they say; random ones
 * have the same spins on the device and on the host, energies that are counted anew, and the means
 * over all states; files keep the table; what is no model is refused, with the line. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clup.h"
#include "core/energy.h"
#include "core/table.h"
#include "bond_list.h"
#include "exact_means.h"
#include "last_sweep.h"
#include "refused.h"
#include "tap.h"

#define SWEEPS 5
#define STATES_MOST CLUP_MATRIX_STATES

static clup_context *context;
static clup_observable signed_m;
enum { ENERGY, ABS_M, M2, SIGNED, QUANTITIES };

/* ---- by definition --------------------------------------------------------------------------- */

/* A model as the test knows it: energies of bonds along each direction, of sites, and directions of
 * states, where it has them. */
typedef struct definition {
    unsigned states;
    double (*bond)(unsigned d, unsigned s, unsigned t);
    double (*site)(unsigned s);
    double (*order)(unsigned axis, unsigned s);
} definition;

static void measure(const clup_problem *problem, const definition *model, const bond_list *of,
                    const uint8_t *spins, double values[QUANTITIES])
{
    const double sites = (double)clup_problem_sites(problem), q = model->states;
    double energy = 0, x = 0, y = 0, shares[STATES_MOST] = {0}, most = 0;
    for (size_t k = 0; k < of->count; k++)
        energy += of->coupling[k] * model->bond(of->along[k], spins[of->from[k]], spins[of->to[k]]);
    for (uint64_t i = 0; i < clup_problem_sites(problem); i++)
        shares[spins[i]] += 1 / sites;
    for (unsigned s = 0; s < model->states; s++) {
        energy += shares[s] * sites * model->site(s);
        most = shares[s] > most ? shares[s] : most;
        if (model->order != NULL)
            x += shares[s] * model->order(0, s), y += shares[s] * model->order(1, s);
    }
    const double m = model->order != NULL ? hypot(x, y) : (q * most - 1) / (q - 1);
    values[ENERGY] = energy / sites;
    values[ABS_M] = m;
    values[M2] = m * m;
    values[SIGNED] = model->order != NULL ? x : (q * shares[0] - 1) / (q - 1);
}

/* ---- the same spins -------------------------------------------------------------------------- */

static const clup_method clusters = {0}, beside = {.heat_bath = 1},
                         alone = {.algorithm = CLUP_HEAT_BATH}, one = {.algorithm = CLUP_WOLFF};

static void count_model(const void *user, const clup_problem *problem, uint32_t replica,
                        const uint8_t *spins, double *values)
{
    bond_list of = bonds_of(problem, replica);
    measure(problem, user, &of, spins, values);
    bonds_free(&of);
}

/* bonds is the layout; NULL for any. */
static void check_spins(const clup_problem *problem, const definition *model,
                        const clup_method *method, const char *bonds, const char *what)
{
    const clup_observable of[QUANTITIES] = {CLUP_ENERGY, CLUP_ABS_M, CLUP_M2, signed_m};
    const last_sweep run = {.method = method,
                            .request = {.bonds = bonds},
                            .start = CLUP_START_RANDOM,
                            .sweeps = SWEEPS,
                            .of = of,
                            .count = QUANTITIES};
    const compared found = compare_last(context, problem, &run, count_model, model);
    ok(found.same && found.other == 0 && found.wrong == 0,
       "%s of %u states, %s %u x %u x %u, beta = %g, %s with %u%s%s: the spins of the host, %u "
       "numbers of another value than there, %u than counted",
       what, problem->q, clup_lattice_name(problem->lattice), problem->size[0], problem->size[1],
       problem->size[2], problem->beta, clup_algorithm_name(method->algorithm), method->heat_bath,
       bonds != NULL ? ", " : "", bonds != NULL ? bonds : "", found.other, found.wrong);
}

/* ---- all states ------------------------------------------------------------------------------ */

static void check_states(const clup_problem *problem, const definition *model,
                         const clup_method *method, const char *what)
{
    enum { SYSTEMS = 32, COUNT = 300 };
    const clup_observable of[QUANTITIES] = {CLUP_ENERGY, CLUP_ABS_M, CLUP_M2, signed_m};
    const uint64_t sites = clup_problem_sites(problem);
    double wanted[QUANTITIES] = {0}, z = 0;
    uint64_t states = 1;
    unsigned worst_of;
    bond_list bonds = bonds_of(problem, 0);
    for (uint64_t i = 0; i < sites; i++)
        states *= problem->q;
    for (uint64_t state = 0; state < states; state++) {
        uint8_t spins[16];
        double values[QUANTITIES];
        uint64_t rest = state;
        for (uint64_t i = 0; i < sites; i++, rest /= problem->q)
            spins[i] = (uint8_t)(rest % problem->q);
        measure(problem, model, &bonds, spins, values);
        const double weight = exp(-problem->beta * values[ENERGY] * (double)sites);
        z += weight;
        for (unsigned k = 0; k < QUANTITIES; k++)
            wanted[k] += weight * values[k];
    }
    for (unsigned k = 0; k < QUANTITIES; k++)
        wanted[k] /= z;
    bonds_free(&bonds);
    const double worst = worst_sigma(context, problem, method, SYSTEMS, COUNT, of, wanted,
                                     QUANTITIES, &worst_of);
    ok(worst < 4.5,
       "%s, %s %u x %u, beta = %g, %s with %u: energy %.5f, m2 %.5f, all means within %.1f sigma "
       "of the exact ones (worst: number %u)",
       what, clup_lattice_name(problem->lattice), problem->size[0], problem->size[1], problem->beta,
       clup_algorithm_name(method->algorithm), method->heat_bath, wanted[ENERGY], wanted[M2], worst,
       worst_of);
}

/* ---- shipped models -------------------------------------------------------------------------- */

/* Reads doc/guide/models/NAME.toml into a problem. */
static void read_shipped(const char *name, clup_problem *problem)
{
    const char *top = getenv("srcdir");
    char path[4096];
    snprintf(path, sizeof path, "%s/doc/guide/models/%s.toml", top != NULL ? top : ".", name);
    NEED(clup_problem_set(problem, "model", path));
}

static double no_energy(unsigned s)
{
    (void)s;
    return 0;
}

/* Two Ising spins, of J = 1 each, and of K = 1/2 between their products. */
static double ashkin_teller(unsigned d, unsigned s, unsigned t)
{
    const int a = s / 2 == t / 2 ? 1 : -1, b = s % 2 == t % 2 ? 1 : -1;
    (void)d;
    return -a - b - 0.5 * a * b;
}

static double first_spin(unsigned axis, unsigned s)
{
    return axis > 0 ? 0 : s < 2 ? 1 : -1;
}

static double spin_one(unsigned d, unsigned s, unsigned t)
{
    (void)d;
    return -(1. - s) * (1. - t);
}

static double crystal_field(unsigned s)
{
    return s == 1 ? 0 : 1.9655;
}

static double of_spin_one(unsigned axis, unsigned s)
{
    return axis > 0 ? 0 : 1. - s;
}

static void check_shipped(void)
{
    static const definition teller = {4, ashkin_teller, no_energy, first_spin},
                            capel = {3, spin_one, crystal_field, of_spin_one};
    clup_problem problem = {.size = {45, 20}, .periodic = {1, 0}, .beta = 0.4, .replicas = 2};
    read_shipped("ashkin-teller", &problem);
    ok(problem.model == CLUP_TABLE && problem.q == 4 && clup_table_states(problem.table) == 4 &&
           strcmp(clup_table_state(problem.table, 2), "-+") == 0 &&
           clup_table_state(problem.table, 4) == NULL,
       "a model from a file has its states");
    check_spins(&problem, &teller, &clusters, "word", "Ashkin-Teller");
    check_spins(&problem, &teller, &beside, NULL, "Ashkin-Teller");
    clup_problem small = {.size = {3, 2}, .periodic = {1, 0}, .beta = 0.3};
    small.model = problem.model, small.q = problem.q, small.table = problem.table;
    check_states(&small, &teller, &clusters, "Ashkin-Teller");
    check_states(&small, &teller, &alone, "Ashkin-Teller");
    check_states(&small, &teller, &one, "Ashkin-Teller");
    problem.disorder[CLUP_SIGNS] = small.disorder[CLUP_SIGNS] = 0.5;
    check_spins(&problem, &teller, &beside, NULL, "Ashkin-Teller with random signs");
    check_states(&small, &teller, &clusters, "Ashkin-Teller with random signs");
    problem.disorder[CLUP_SIGNS] = small.disorder[CLUP_SIGNS] = 0;

    read_shipped("blume-capel", &problem);
    check_spins(&problem, &capel, &beside, NULL, "Blume-Capel");
    check_spins(&problem, &capel, &alone, NULL, "Blume-Capel");
    clup_problem single = problem;
    single.replicas = 1;
    check_spins(&single, &capel, &(clup_method){.algorithm = CLUP_WOLFF, .heat_bath = 1}, NULL,
                "Blume-Capel");
    read_shipped("blume-capel", &small);
    small.size[1] = 3, small.beta = 1.2;
    check_states(&small, &capel, &beside, "Blume-Capel");
    problem.disorder[CLUP_NORMAL] = small.disorder[CLUP_NORMAL] = 1;
    check_spins(&problem, &capel, &beside, NULL, "Blume-Capel with normal couplings");
    check_states(&small, &capel, &alone, "Blume-Capel with normal couplings");
    problem.disorder[CLUP_NORMAL] = small.disorder[CLUP_NORMAL] = 0;
    refused_problem(context, &small, clusters, NULL, "from state '+' to '0'");
    clup_simulation *simulation;
    ok(clup_simulation_create(NULL, &small, NULL, NULL, 1, CLUP_START_RANDOM, &simulation) ==
           CLUP_ERROR_USAGE,
       "also without a method: %s", clup_error_detail());
}

/* Whether two problems have the same spins and energies. */
static void check_same(const clup_problem *one, const clup_problem *other, const char *what)
{
    enum { SITES = 45 * 20 };
    static uint8_t spins[2][SITES];
    double values[2][2];
    const last_sweep run = {.method = &beside,
                            .start = CLUP_START_RANDOM,
                            .sweeps = SWEEPS,
                            .of = (const clup_observable[]){CLUP_ENERGY, CLUP_ABS_M},
                            .count = 2};
    simulate_last(context, one, &run, spins[0], values[0]);
    simulate_last(context, other, &run, spins[1], values[1]);
    ok(memcmp(spins[0], spins[1], SITES) == 0 && fabs(values[0][0] - values[1][0]) < 1e-5 &&
           fabs(values[0][1] - values[1][1]) < 1e-7,
       "the table of %s has the spins, energy and magnetisation of that model", what);
}

static void check_built_in(void)
{
    clup_problem table = {.size = {45, 20}, .periodic = {1, 0}, .beta = 0.9}, clock = table,
                 potts = table;
    clock.model = CLUP_CLOCK, clock.q = 5;
    read_shipped("clock-5", &table);
    check_same(&table, &clock, "the clock model");
    table.coupling[0] = clock.coupling[0] = 1;
    table.coupling[1] = clock.coupling[1] = -0.5;
    check_same(&table, &clock, "the clock model with two couplings");
    table.coupling[0] = table.coupling[1] = 0;
    potts.model = CLUP_POTTS, potts.q = 3, potts.field = 0.1;
    read_shipped("potts-field", &table);
    check_same(&table, &potts, "the Potts model in a field");
}

/* ---- random models --------------------------------------------------------------------------- */

static struct {
    unsigned states, matrices, involutions;
    double bonds[3][STATES_MOST][STATES_MOST], sites[STATES_MOST], order[2][STATES_MOST];
    unsigned images[4][STATES_MOST];
} drawn;

static double drawn_bond(unsigned d, unsigned s, unsigned t)
{
    return drawn.bonds[drawn.matrices > 1 ? d : 0][s][t];
}

static double drawn_site(unsigned s)
{
    return drawn.sites[s];
}

static double drawn_order(unsigned axis, unsigned s)
{
    return drawn.order[axis][s];
}

static double random_energy(void)
{
    return (rand() % 2001 - 1000) / 512.;
}

/* Draws involutions that pair neighbours in a list of the states, from an even and from an odd
 * place on, so that both connect all states; and energies that are the same for all pairs that they
 * make of each other. */
static void draw(unsigned states, unsigned matrices)
{
    unsigned list[STATES_MOST];
    drawn.states = states, drawn.matrices = matrices;
    drawn.involutions = states > 2 ? 2 : 1; /* the other one changes nothing */
    for (unsigned s = 0; s < states; s++) {
        const unsigned at = (unsigned)rand() % (s + 1);
        list[s] = list[at], list[at] = s;
    }
    for (unsigned r = 0; r < 2; r++)
        for (unsigned k = 0; k < states; k++) {
            const unsigned other = (k + r) % 2 ? k - 1 : k + 1;
            drawn.images[r][list[k]] = list[other < states ? other : k];
        }
    for (unsigned s = 0; s < states; s++) {
        drawn.sites[s] = random_energy() / 4;
        drawn.order[0][s] = (rand() % 141 - 70) / 128.;
        drawn.order[1][s] = (rand() % 141 - 70) / 128.;
    }
    for (unsigned k = 0; k < matrices; k++) {
        bool set[STATES_MOST][STATES_MOST] = {{false}};
        for (unsigned s = 0; s < states; s++)
            for (unsigned t = 0; t < states; t++) {
                const double energy = random_energy();
                if (set[s][t])
                    continue;
                /* all pairs that the two involutions in turn make of this one */
                for (unsigned start = 0; start < 2; start++) {
                    unsigned a = s, b = t, r = start;
                    do {
                        drawn.bonds[k][a][b] = drawn.bonds[k][b][a] = energy;
                        set[a][b] = set[b][a] = true;
                        a = drawn.images[r][a], b = drawn.images[r][b];
                        r = 1 - r;
                    } while (a != s || b != t || r != start);
                }
            }
    }
}

static size_t add_list(char *text, size_t at, unsigned count, const double *numbers)
{
    for (unsigned s = 0; s < count; s++)
        at += (size_t)sprintf(text + at, "%s%.17g", s > 0 ? "," : "[", numbers[s]);
    return at + (size_t)sprintf(text + at, "]");
}

/* Returns the drawn model as JSON. */
static const clup_table *drawn_table(void)
{
    static char text[STATES_MOST * STATES_MOST * 100];
    const unsigned states = drawn.states;
    const clup_table *table;
    size_t at = (size_t)sprintf(text, "{\"states\":%u,\"bonds\":", states);
    for (unsigned k = 0; k < drawn.matrices; k++) {
        if (drawn.matrices > 1)
            at += (size_t)sprintf(text + at, "%c", k > 0 ? ',' : '[');
        for (unsigned s = 0; s < states; s++) {
            text[at++] = s > 0 ? ',' : '[';
            at = add_list(text, at, states, drawn.bonds[k][s]);
        }
        at += (size_t)sprintf(text + at, "]");
    }
    at += (size_t)sprintf(text + at, "%s,\"sites\":", drawn.matrices > 1 ? "]" : "");
    at = add_list(text, at, states, drawn.sites);
    at += (size_t)sprintf(text + at, ",\"order\":");
    for (unsigned s = 0; s < states; s++)
        at += (size_t)sprintf(text + at, "%s[%.17g,%.17g]", s > 0 ? "," : "[", drawn.order[0][s],
                              drawn.order[1][s]);
    at += (size_t)sprintf(text + at, "],\"involutions\":");
    for (unsigned r = 0; r < drawn.involutions; r++)
        for (unsigned s = 0; s < states; s++)
            at += (size_t)sprintf(text + at, "%s%u%s",
                                  s > 0   ? ","
                                  : r > 0 ? ",["
                                          : "[[",
                                  drawn.images[r][s], s + 1 == states ? "]" : "");
    sprintf(text + at, "]}");
    NEED(clup_table_parse(text, &table));
    return table;
}

static void check_drawn(void)
{
    static const definition model = {0, drawn_bond, drawn_site, drawn_order};
    static const unsigned states[] = {2, 3, 5, 17, 64};
    for (size_t k = 0; k < sizeof states / sizeof *states; k++) {
        const bool volume = k % 3 == 2;
        clup_problem problem = {.model = CLUP_TABLE,
                                .lattice = volume   ? CLUP_LATTICE_CUBIC
                                           : k == 1 ? CLUP_LATTICE_TRIANGULAR
                                                    : CLUP_LATTICE_SQUARE,
                                .size = {35 + 30 * (unsigned)k, volume ? 5 : 21, volume ? 4 : 1},
                                .periodic = {1, k != 1, 1},
                                .q = states[k],
                                .beta = 0.5,
                                .replicas = k == 3 ? 1 : 2};
        definition of = model;
        draw(states[k], k % 2 ? clup_problem_directions(&problem) : 1);
        of.states = states[k];
        problem.table = drawn_table();
        check_spins(&problem, &of, &clusters, k == 3 ? "char" : NULL, "a random model");
        check_spins(&problem, &of, k % 2 ? &alone : &beside, NULL, "a random model");
        if (k > 1)
            continue;
        clup_problem small = {.model = CLUP_TABLE,
                              .size = {3, 2},
                              .periodic = {1, 1},
                              .q = states[k],
                              .beta = 0.5,
                              .coupling = {1, -0.75}};
        draw(states[k], 2);
        small.table = drawn_table();
        check_states(&small, &of, &clusters, "a random model");
        check_states(&small, &of, &alone, "a random model");
        check_states(&small, &of, &one, "a random model");
    }
}

/* ---- files and fields ------------------------------------------------------------------------ */

static void check_files(clup_problem problem)
{
    static const char *const rows[] = {"model.csv", "series.h5"};
    static const char path[] = "model.h5";
    clup_problem copy = {0};
    char text[CLUP_FIELD_TEXT];
    clup_simulation *simulation, *again;
    clup_checkpoint *checkpoint;
    clup_record *record;
    NEED(clup_problem_get(&problem, "table", text));
    copy.model = CLUP_TABLE;
    ok(clup_problem_set(&copy, "table", text) == CLUP_OK && copy.table == problem.table,
       "a table has a name, %.20s..", text);
    text[20] = '\0';
    ok(clup_problem_set(&copy, "table", text) == CLUP_ERROR_USAGE, "another name is no table's: %s",
       clup_error_detail());
    NEED(clup_simulation_create(NULL, &problem, NULL, NULL, 3, CLUP_START_RANDOM, &simulation));
    NEED(clup_simulation_observe(simulation, (clup_observable[]){CLUP_ENERGY}, 1, 1));
    NEED(clup_simulation_run(simulation, 6, 1, NULL, NULL));
    if (clup_hdf5_version() != NULL) {
        NEED(clup_simulation_save(simulation, NULL, path));
        NEED(clup_checkpoint_read(path, &checkpoint));
        ok(clup_checkpoint_problem(checkpoint)->table == problem.table,
           "a checkpoint has the table of its model");
        NEED(clup_simulation_load(NULL, checkpoint, NULL, &again));
        NEED(clup_simulation_run(simulation, 4, 1, NULL, NULL));
        NEED(clup_simulation_run(again, 4, 1, NULL, NULL));
        uint8_t spins[2][108];
        NEED(clup_simulation_spins(simulation, spins[0]));
        NEED(clup_simulation_spins(again, spins[1]));
        ok(memcmp(spins[0], spins[1], 108) == 0, "and goes on from it");
        clup_checkpoint_free(checkpoint);
        clup_simulation_free(again);
        unlink(path);
    }
    NEED(clup_record_create(&problem, &record));
    NEED(clup_record_take(record, simulation));
    for (unsigned k = 0; k < (clup_hdf5_version() != NULL ? 2 : 1); k++) {
        clup_record *found;
        NEED(clup_record_write(record, rows[k]));
        NEED(clup_record_read(rows[k], &found));
        ok(clup_record_problem(found)->table == problem.table &&
               clup_problem_compare(clup_record_problem(found), &problem, CLUP_FIELD_ALL) ==
                   CLUP_OK,
           "%s has it as well, %zu bytes", rows[k], strlen(problem.table->text));
        clup_record_free(found);
        unlink(rows[k]);
    }
    clup_record_free(record);
    clup_simulation_free(simulation);
}

static void check_all_files(void)
{
    clup_problem problem = {.size = {12, 9}, .periodic = {1, 1}, .beta = 0.4};
    read_shipped("ashkin-teller", &problem);
    check_files(problem);
    draw(CLUP_MATRIX_STATES, 2);
    problem.table = drawn_table(), problem.q = CLUP_MATRIX_STATES;
    check_files(problem);
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void refuses(const char *text, const char *why)
{
    const clup_table *table = (const clup_table *)"";
    ok(clup_table_parse(text, &table) == CLUP_ERROR_USAGE && table == NULL &&
           strstr(clup_error_detail(), why) != NULL,
       "refused: %s", clup_error_detail());
}

static void check_refused(void)
{
    refuses("", "states is missing");
    refuses("states = 2\n", "bonds is missing");
    refuses("states = 2\nbonds = 3\n", "line 2: bonds is missing, or no matrix");
    refuses("states = 1\nbonds = [[0]]\n", "states is 1, and not 2");
    refuses("states = 65\nbonds = [[0]]\n", "states is 65, and not");
    refuses("states = [\"a\", \"a\"]\n", "has 'a' twice");
    refuses("states = [\"a\", 3]\n", "no name");
    refuses("states = [\"\", \"b\"]\n", "no name");
    refuses("states = 2\nbonds = [[0, 1], [2, 0]]\n",
            "line 2: bonds is no symmetric matrix: it has 2 for '1' beside '0', and 1");
    refuses("states = 2\nbonds = [[0, 1]]\n", "a matrix of 1 rows");
    refuses("states = 2\nbonds = [[0, 1], [1]]\n", "a list of 1 entries");
    refuses("states = 2\nbonds = [[0, nan], [nan, 0]]\n", "no number");
    refuses("states = 2\nbonds = [[0, 17], [17, 0]]\n", "17, which is not between -16 and 16");
    refuses("states = 2\nbonds = []\n", "bonds");
    refuses("states = 2\nbonds = [[[0, 1], [1, 0]], 3]\n", "a matrix of 0 rows");
    refuses("states = 2\nbonds = [[0, 1], [1, 0]]\nsites = [1]\n", "line 3: sites");
    refuses("states = 2\nbonds = [[0, 1], [1, 0]]\norder = [1, 2]\n", "2, which is not between");
    refuses("states = 2\nbonds = [[0, 1], [1, 0]]\norder = [[1, 1], 0]\n", "longer than 1");
    refuses("states = 2\nbonds = [[0, 1], [1, 0]]\norder = [[1], 0]\n", "neither a number nor two");
    refuses("states = 3\nbonds = [[0, 1, 1], [1, 0, 1], [1, 1, 0]]\ninvolutions = [[1, 2, 0]]\n",
            "line 3: involutions has a permutation that is no involution, number 0");
    refuses("states = 2\nbonds = [[0, 1], [1, 0]]\ninvolutions = [[0, 1]]\n", "changes no state");
    refuses("states = 2\nbonds = [[0, 1], [1, 0]]\ninvolutions = [[0, 2]]\n",
            "no state, in number 0");
    refuses("states = 2\nbonds = [[0, 1], [1, 0]]\ninvolutions = [[0]]\n", "no list of 2 states");
    refuses("states = 2\nbonds = [[0, 1], [1, 2]]\ninvolutions = [[1, 0]]\n",
            "changes energies of bonds, number 0: '0' beside '0' has 0, but '1' beside '1'");
    refuses("states = 2\nbonds = [[0, 1], [1, 0]]\nspins = 3\n", "line 3: spins is no key");
    refuses("states = 2\nbonds = [[0, 1], [1, 0]\n", "line 3: ");
    refuses("{\"states\": 2", "line 1");
    refuses("{\"states\": 2, \"states\": 3}", "duplicate");

    const clup_table *table, *same;
    ok(clup_table_read("nowhere.toml", &table) == CLUP_ERROR_RUNTIME && table == NULL,
       "no file: %s", clup_error_detail());
    NEED(clup_table_parse("states = 2\nbonds = [[-1, 1.0], [1, -1]]\ninvolutions = [[1, 0]]",
                          &table));
    NEED(clup_table_parse("{\"involutions\": [[1, 0]], \"states\": [\"0\", \"1\"], "
                          "\"bonds\": [[-1, 1], [1, -1]], \"name\": \"Ising\"}",
                          &same));
    ok(table == same, "equal tables are one, in TOML and in JSON");
    clup_problem problem = {.model = CLUP_TABLE, .q = 2, .size = {8, 8}, .beta = 1};
    refused_problem(context, &problem, clusters, NULL, "has no table");
    problem.table = table, problem.q = 3;
    refused_problem(context, &problem, clusters, NULL, "has 2 states: q is not 3");
    problem.q = 2, problem.field = 1;
    refused_problem(context, &problem, clusters, NULL, "no field besides");
    problem.field = 0;
    refused_problem(
        context, &problem,
        (clup_method){.algorithm = CLUP_FEW_CLUSTER, .seeds_per_side = 2, .p_flip = 0.5}, NULL,
        "by sw, wolff and heat-bath");
    NEED(clup_table_parse("states = 2\nbonds = [[8, -8], [-8, 8]]\ninvolutions = [[1, 0]]",
                          &problem.table));
    problem.coupling[0] = problem.coupling[1] = -3;
    refused_problem(context, &problem, clusters, NULL, "times its coupling is -24");
    problem.coupling[0] = problem.coupling[1] = 0;
    problem.disorder[CLUP_NORMAL] = 2;
    refused_problem(context, &problem, clusters, NULL, "can differ by 224, more than 128");
    problem.disorder[CLUP_NORMAL] = 0;
    NEED(clup_table_parse(
        "states = 2\nbonds = [[[1, 0], [0, 1]], [[0, 1], [1, 0]], [[2, 1], [1, 2]]]",
        &problem.table));
    refused_problem(context, &problem, alone, NULL, "has 3 matrices of energies");
    problem.lattice = CLUP_LATTICE_CUBIC, problem.size[2] = 4;
    refused_problem(context, &problem, clusters, NULL, "from state '0' to '1'");
    clup_simulation *simulation;
    NEED(
        clup_simulation_create(context, &problem, &alone, NULL, 1, CLUP_START_RANDOM, &simulation));
    NEED(clup_simulation_run(simulation, 2, 0, NULL, NULL));
    ok(1, "without involutions the heat bath is enough");
    clup_simulation_free(simulation);
}

/* Changes bytes of a table, and cuts it: it stays one, or the detail says why it is none. */
static void check_noise(void)
{
    unsigned wrong = 0, read = 0;
    draw(5, 1);
    const char *text = drawn_table()->text;
    const size_t size = strlen(text);
    char *changed = malloc(size + 1);
    for (unsigned k = 0; k < 4000; k++) {
        const clup_table *table;
        strcpy(changed, text);
        for (unsigned n = (unsigned)rand() % 3; n > 0; n--)
            changed[(size_t)rand() % size] = "0159,.[]{}\":-e\n x"[rand() % 18];
        if (k % 4 == 0)
            changed[(size_t)rand() % size] = '\0';
        const clup_status status = clup_table_parse(changed, &table);
        read += status == CLUP_OK;
        wrong += status == CLUP_OK ? table == NULL || table->states < 2
                                   : status != CLUP_ERROR_USAGE || clup_error_detail()[0] == '\0';
    }
    free(changed);
    ok(wrong == 0 && read > 100, "of 4000 texts with other bytes %u are tables, %u have no reason",
       read, wrong);
}

int main(void)
{
    NEED(clup_context_create(NULL, &context));
    NEED(clup_observable_named("m", &signed_m));
    printf("# on %s\n", clup_context_device(context)->name);
    srand(7);
    check_shipped();
    check_built_in();
    check_drawn();
    check_all_files();
    check_refused();
    check_noise();
    clup_context_free(context);
    return done_testing();
}
