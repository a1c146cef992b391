/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of series and checkpoints that no clup wrote. In turn, each number, text and attribute of a
 * good file is removed, becomes a link or a reference to another file, changes its type, shape or
 * length, or gets another value. An impossible file is refused, and the message names the file.
 * With a possible file a simulation goes on and averages are taken, so that sanitizers see the code
 * that uses it. Bits of such files are flipped, too.
 *
 *   t_strangers [SEED COUNT]   flips COUNT more bits */
#include "config.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sha256.h"
#include "io/checkpoint.h"
#include "io/stamp.h"
#include "tap.h"

static const char path[] = "strangers test.h5";

#ifdef HAVE_HDF5
#include <hdf5.h>

/* ---- files ----------------------------------------------------------------------------------- */

typedef struct file {
    const char *name;
    uint8_t *bytes;
    size_t size;
    bool is_checkpoint, percolates;
} file;

static void save(const uint8_t *bytes, size_t size)
{
    FILE *to = fopen(path, "wb");
    if (to == NULL || fwrite(bytes, 1, size, to) != size || fclose(to) != 0)
        exit(1);
}

static file load(const char *name, bool is_checkpoint)
{
    file loaded = {.name = name, .is_checkpoint = is_checkpoint};
    struct stat found;
    FILE *from = fopen(path, "rb");
    if (from == NULL || fstat(fileno(from), &found) != 0)
        exit(1);
    loaded.size = (size_t)found.st_size;
    loaded.bytes = malloc(loaded.size);
    if (fread(loaded.bytes, 1, loaded.size, from) != loaded.size)
        exit(1);
    fclose(from);
    return loaded;
}

/* Gives a checkpoint the hash that it has: whoever changes one can do so. */
static void mend(const file *file)
{
    static const char line[] = "sha256 = ";
    char hex[65], *at = strstr((char *)file->bytes, line);
    if (!file->is_checkpoint || at == NULL)
        return;
    clup_sha256(file->bytes + CLUP_STAMP, file->size - CLUP_STAMP, hex);
    memcpy(at + strlen(line), hex, 64);
}

/* ---- readers --------------------------------------------------------------------------------- */

static void use_checkpoint(const clup_checkpoint *checkpoint)
{
    clup_simulation *simulation;
    clup_estimate estimates[CLUP_OBSERVABLES];
    if (clup_simulation_load(NULL, checkpoint, NULL, &simulation) != CLUP_OK)
        return;
    const uint32_t replicas = clup_problem_replicas(clup_checkpoint_problem(checkpoint));
    for (unsigned k = 0; k < 2; k++) {
        for (uint32_t r = 0; r < replicas; r++)
            (void)clup_simulation_estimate(simulation, r, estimates);
        (void)clup_simulation_run(simulation, 2, 1, NULL, NULL);
    }
    clup_simulation_free(simulation);
}

static void use_record(clup_record *record)
{
    clup_analysis analysis;
    clup_reweighting *reweighting;
    for (uint32_t r = 0; r < clup_record_systems(record); r++)
        for (size_t k = 0; clup_record_observable(record, k) != NULL; k++)
            (void)clup_analysis_observable(record, r, clup_record_observable(record, k), &analysis);
    if (clup_reweighting_create(&(const clup_record *){record}, 1, &reweighting) != CLUP_OK)
        return;
    (void)clup_reweighting_at(reweighting, 0.8, NULL, NULL, NULL);
    clup_reweighting_free(reweighting);
}

static void use_scan(clup_percolation_scan *scan)
{
    clup_percolation_point point;
    clup_percolation *percolation;
    clup_record *record;
    double matrix[CLUP_PERCOLATION_OBSERVABLES * CLUP_PERCOLATION_OBSERVABLES];
    if (clup_percolation_create(NULL, clup_percolation_scan_problem(scan), NULL,
                                clup_percolation_scan_seed(scan), &percolation) != CLUP_OK)
        return;
    for (uint32_t k = 0; k < clup_percolation_scan_points(scan, NULL); k++) {
        (void)clup_percolation_scan_point(scan, k, &point);
        (void)clup_percolation_scan_covariance(scan, k, matrix);
        (void)clup_percolation_scan_run(scan, percolation, k, point.samples + 2, NULL, NULL);
    }
    if (clup_percolation_scan_record(scan, &record) == CLUP_OK)
        use_record(record);
    clup_record_free(record);
    clup_percolation_free(percolation);
}

/* Whether the file at path begins as a checkpoint of percolation. */
static bool is_scan(void)
{
    static const char form[] = "clup/percolation/";
    char first[sizeof form] = "";
    FILE *from = fopen(path, "rb");
    const bool begins = from != NULL && fread(first, 1, sizeof form - 1, from) > 0 &&
                        strcmp(first, form) == 0;
    if (from != NULL)
        fclose(from);
    return begins;
}

/* Reads the file at path, and uses what is there. */
static clup_status read_file(bool is_checkpoint)
{
    clup_checkpoint *checkpoint;
    clup_percolation_scan *scan;
    clup_record *record;
    clup_status status;
    if (is_checkpoint && is_scan()) {
        status = clup_percolation_scan_load(path, &scan);
        if (status == CLUP_OK)
            use_scan(scan);
        clup_percolation_scan_free(scan);
    } else if (is_checkpoint) {
        status = clup_checkpoint_read(path, &checkpoint);
        if (status == CLUP_OK)
            use_checkpoint(checkpoint);
        clup_checkpoint_free(checkpoint);
    } else {
        status = clup_record_read(path, &record);
        if (status == CLUP_OK)
            use_record(record);
        clup_record_free(record);
    }
    return status;
}

/* Whether the last failure is one line with the file's name. */
static bool says_path(void)
{
    return strstr(clup_error_detail(), path) != NULL && strchr(clup_error_detail(), '\n') == NULL;
}

/* ---- what is changed ------------------------------------------------------------------------- */

/* A dataset of a file, or an attribute of one or of a group. */
typedef struct place {
    char at[256], attribute[64];
    hid_t type;
    int axes;
    hsize_t shape[3], count;
    bool is_text;
    bool may_go; /* nothing needs it */
} place;

typedef struct places {
    place of[256];
    size_t count;
} places;

static place *add_place(places *to, const char *at, const char *attribute, hid_t type, hid_t space)
{
    place *added = &to->of[to->count++];
    *added = (place){.type = type, .is_text = H5Tget_class(type) == H5T_STRING};
    snprintf(added->at, sizeof added->at, "%s", at);
    snprintf(added->attribute, sizeof added->attribute, "%s", attribute);
    added->axes = H5Sget_simple_extent_dims(space, added->shape, NULL);
    added->count = (hsize_t)H5Sget_simple_extent_npoints(space);
    H5Sclose(space);
    return added;
}

/* What clup reads of a file of series; of checkpoints it is all. */
static bool is_read(const char *at)
{
    return strncmp(at, "/clup/", 6) == 0 ||
           (strstr(at, "/clones/") != NULL &&
            (strstr(at, "timeseries/data") != NULL || strstr(at, "/beta") != NULL ||
             strcmp(strrchr(at, '/'), "/p") == 0 || strstr(at, "spins_sha256") != NULL));
}

static herr_t take_place(hid_t root, const char *name, const H5O_info_t *info, void *user)
{
    places *to = user;
    char at[256];
    snprintf(at, sizeof at, "/%s", name);
    if (info->type != H5O_TYPE_DATASET ||
        (H5Lexists(root, "/simulation", H5P_DEFAULT) > 0 && !is_read(at)))
        return 0;
    const hid_t set = H5Dopen2(root, at, H5P_DEFAULT);
    place *added = add_place(to, at, "", H5Dget_type(set), H5Dget_space(set));
    added->may_go = strncmp(at, "/said/", 6) == 0 || strcmp(at, "/clup/device") == 0 ||
                    strcmp(at, "/clup/first_sweep") == 0 || strcmp(at, "/clup/every") == 0;
    if (H5Aexists(set, "sha256") > 0)
        add_place(to, at, "sha256", H5Tcopy(H5T_C_S1), H5Screate(H5S_SCALAR));
    H5Dclose(set);
    return 0;
}

static void find_places(const file *of, places *to)
{
    to->count = 0;
    save(of->bytes, of->size);
    const hid_t root = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    add_place(to, "/", "clup", H5Tcopy(H5T_C_S1), H5Screate(H5S_SCALAR));
    if (H5Ovisit(root, H5_INDEX_NAME, H5_ITER_INC, take_place, to) < 0)
        exit(1);
    H5Fclose(root);
}

/* ---- changes of what it is ------------------------------------------------------------------- */

/* How a dataset is made in place of another one. */
typedef struct making {
    hid_t type, properties;
    int axes;
    hsize_t shape[4], count;
    bool is_null, unwritten;
} making;

static void make(hid_t root, const place *place, const making *how)
{
    const hid_t space = how->is_null    ? H5Screate(H5S_NULL)
                        : how->axes > 0 ? H5Screate_simple(how->axes, how->shape, NULL)
                                        : H5Screate(H5S_SCALAR);
    const size_t bytes = H5Tget_size(how->type);
    hid_t made;
    if (place->attribute[0] != '\0')
        made = H5Acreate_by_name(root, place->at, place->attribute, how->type, space, H5P_DEFAULT,
                                 H5P_DEFAULT, H5P_DEFAULT);
    else
        made = H5Dcreate2(root, place->at, how->type, space, H5P_DEFAULT, how->properties,
                          H5P_DEFAULT);
    if (made < 0)
        exit(1);
    if (!how->unwritten && !how->is_null && how->count > 0 && how->count < 1000000) {
        void *zeros = calloc((size_t)how->count, bytes);
        if (place->attribute[0] != '\0')
            H5Awrite(made, how->type, zeros);
        else
            H5Dwrite(made, how->type, H5S_ALL, H5S_ALL, H5P_DEFAULT, zeros);
        free(zeros);
    }
    if (place->attribute[0] != '\0')
        H5Aclose(made);
    else
        H5Dclose(made);
    H5Sclose(space);
}

static void remove_place(hid_t root, const place *place)
{
    if (place->attribute[0] != '\0')
        H5Adelete_by_name(root, place->at, place->attribute, H5P_DEFAULT);
    else
        H5Ldelete(root, place->at, H5P_DEFAULT);
}

typedef enum change {
    GONE,
    GROUP,
    OTHER_CLASS,
    OTHER_WIDTH,
    OTHER_ORDER,
    VARIABLE,
    EMPTY,
    LESS_AXES,
    MORE_AXES,
    LONGER,
    HUGE_CHUNKED,
    NEVER_WRITTEN,
    SOFT,
    SOFT_GROUP,
    EXTERNAL_LINK,
    EXTERNAL_BYTES,
    VIRTUAL,
    PLUGIN,
    CHANGES
} change;

static const char *const names[CHANGES] = {"gone",
                                           "a group",
                                           "of another class",
                                           "of another width",
                                           "of another order",
                                           "variable",
                                           "empty",
                                           "with an axis less",
                                           "with an axis more",
                                           "longer",
                                           "huge",
                                           "never written",
                                           "a soft link",
                                           "in a group that is one",
                                           "in a file that is linked",
                                           "in another file",
                                           "virtual",
                                           "behind a plugin"};

/* Attributes are nothing but texts. */
static bool can_be(const place *place, change change)
{
    if (place->attribute[0] != '\0')
        return change == GONE || change == OTHER_CLASS || change == VARIABLE || change == EMPTY ||
               change == MORE_AXES;
    switch (change) {
    case OTHER_WIDTH: return !place->is_text;
    case OTHER_ORDER: return !place->is_text && H5Tget_size(place->type) > 1;
    case VARIABLE: return place->is_text;
    case LESS_AXES: return place->axes > 0;
    case LONGER:
    case HUGE_CHUNKED: return !place->is_text && place->axes > 0;
    case SOFT_GROUP: return strchr(place->at + 1, '/') != NULL;
    default: return true;
    }
}

static hid_t other_type(const place *place, change change)
{
    const bool is_double = !place->is_text && H5Tget_class(place->type) == H5T_FLOAT;
    hid_t type;
    switch (change) {
    case OTHER_CLASS: return H5Tcopy(is_double || place->is_text ? H5T_STD_U64LE : H5T_IEEE_F64LE);
    case OTHER_WIDTH: return H5Tcopy(is_double ? H5T_IEEE_F32LE : H5T_STD_U16LE);
    case OTHER_ORDER:
        type = H5Tcopy(place->type);
        H5Tset_order(type, H5T_ORDER_BE);
        return type;
    case VARIABLE:
        type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, H5T_VARIABLE);
        return type;
    default: return H5Tcopy(place->type);
    }
}

static void move_away(hid_t root, const place *place)
{
    H5Lmove(root, place->at, root, "/elsewhere", H5P_DEFAULT, H5P_DEFAULT);
}

/* In the place of the group that a dataset is in, a link to it. */
static void link_group(hid_t root, const place *place)
{
    char group[256];
    snprintf(group, sizeof group, "%s", place->at);
    *strrchr(group, '/') = '\0';
    H5Lmove(root, group, root, "/elsewhere", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/elsewhere", root, group, H5P_DEFAULT, H5P_DEFAULT);
}

static void make_virtual(hid_t root, const place *place, making *how)
{
    const hid_t space = how->axes > 0 ? H5Screate_simple(how->axes, how->shape, NULL)
                                      : H5Screate(H5S_SCALAR);
    H5Pset_virtual(how->properties, space, "pipe", "/x", space);
    H5Sclose(space);
    how->unwritten = true;
    make(root, place, how);
}

static void change_what(hid_t root, const place *place, change change)
{
    making how = {.type = other_type(place, change),
                  .properties = H5Pcreate(H5P_DATASET_CREATE),
                  .axes = place->axes,
                  .count = place->count};
    const size_t bytes = (size_t)place->count * H5Tget_size(how.type);
    const unsigned none = 0;
    const hsize_t chunk[] = {1, 1, 1, 1};
    memcpy(how.shape, place->shape, sizeof place->shape);
    if (change == SOFT || change == EXTERNAL_LINK)
        move_away(root, place);
    else if (change == SOFT_GROUP)
        link_group(root, place);
    else
        remove_place(root, place);
    switch (change) {
    case OTHER_CLASS:
    case OTHER_WIDTH:
    case OTHER_ORDER:
    case VARIABLE: how.unwritten = change == VARIABLE; break;
    case EMPTY: how.is_null = true; break;
    case LESS_AXES: how.axes--; break;
    case MORE_AXES: how.shape[how.axes++] = place->axes == 0 && place->is_text ? 2 : 1; break;
    case LONGER: how.shape[how.axes - 1]++; break;
    case HUGE_CHUNKED:
        how.shape[0] = (hsize_t)1 << 40;
        H5Pset_chunk(how.properties, how.axes, chunk);
        how.unwritten = true;
        break;
    case NEVER_WRITTEN:
        H5Pset_fill_time(how.properties, H5D_FILL_TIME_NEVER);
        how.unwritten = true;
        break;
    case EXTERNAL_BYTES: H5Pset_external(how.properties, "pipe", 0, bytes > 0 ? bytes : 8); break;
    case PLUGIN:
        if (how.axes == 0)
            how.shape[how.axes++] = 1;
        H5Pset_chunk(how.properties, how.axes, how.shape);
        H5Pset_filter(how.properties, 32001, H5Z_FLAG_OPTIONAL, 1, &none);
        break;
    default: break;
    }
    how.count = 1;
    for (int axis = 0; axis < how.axes; axis++)
        how.count *= how.shape[axis];
    if (change == SOFT)
        H5Lcreate_soft("/elsewhere", root, place->at, H5P_DEFAULT, H5P_DEFAULT);
    else if (change == EXTERNAL_LINK)
        H5Lcreate_external("pipe", "/elsewhere", root, place->at, H5P_DEFAULT, H5P_DEFAULT);
    else if (change == GROUP)
        H5Gclose(H5Gcreate2(root, place->at, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    else if (change == VIRTUAL)
        make_virtual(root, place, &how);
    else if (change != GONE && change != SOFT_GROUP) {
        how.unwritten = how.unwritten || change == EXTERNAL_BYTES || change == PLUGIN;
        make(root, place, &how);
    }
    H5Pclose(how.properties);
    H5Tclose(how.type);
}

/* A file is as it was, but for one change; the hash of a checkpoint is right. */
static hid_t begin(const file *of)
{
    save(of->bytes, of->size);
    const hid_t root = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    if (root < 0)
        exit(1);
    return root;
}

static void finish(const file *of, hid_t root)
{
    H5Fclose(root);
    if (!of->is_checkpoint)
        return;
    file changed = load(of->name, true);
    mend(&changed);
    save(changed.bytes, changed.size);
    free(changed.bytes);
}

static void check_what(const file *of, const places *places)
{
    for (change change = GONE; change < CHANGES; change++) {
        unsigned tried = 0, refused = 0;
        for (size_t k = 0; k < places->count; k++) {
            const place *place = &places->of[k];
            if (!can_be(place, change) || (change == GONE && place->may_go))
                continue;
            const hid_t root = begin(of);
            change_what(root, place, change);
            finish(of, root);
            tried++;
            if (read_file(of->is_checkpoint) == CLUP_ERROR_RUNTIME && says_path())
                refused++;
            else
                printf("# %s %s %s: %s\n", of->name, place->at, place->attribute,
                       clup_error_detail());
        }
        ok(refused == tried && tried > 0, "%s: of %u that are %s %u are refused", of->name, tried,
           names[change], refused);
    }
}

/* ---- changes of values ----------------------------------------------------------------------- */

/* Bytes that numbers are made of, the lowest first. */
static const uint8_t patterns[][8] = {
    {0},
    {1},
    {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF},
    {0, 0, 0, 0x80, 0, 0, 0, 0x80},
    {0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF, 0x7F},
    {0, 0, 0, 0, 0, 0, 0xF0, 0x7F},                   /* infinite */
    {0, 0, 0, 0, 0, 0, 0xF8, 0x7F},                   /* no number */
    {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xEF, 0xFF}, /* the lowest number */
};

/* Writes numbers: the first or all of them. */
static void change_numbers(hid_t root, const place *place, size_t pattern, bool all)
{
    const size_t size = H5Tget_size(place->type), bytes = (size_t)place->count * size;
    const hid_t set = H5Dopen2(root, place->at, H5P_DEFAULT);
    uint8_t *values = malloc(bytes + 1);
    H5Dread(set, place->type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    for (size_t k = 0; k < (all ? bytes : bytes > size ? size : bytes); k++)
        values[k] = patterns[pattern][size == 8 ? k % 8 : k % size];
    H5Dwrite(set, place->type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    H5Dclose(set);
    free(values);
}

static const char *const texts[] = {
    "",    "0", "-1", "4294967296", "99999999999999999999999", "nan", "1x1x1x1", "\x1b[31m\n\xff",
    "%n%s"};
#define LONG_TEXT (sizeof texts / sizeof *texts)

static void change_text(hid_t root, const place *place, size_t row)
{
    static char longest[40000];
    memset(longest, 'x', sizeof longest - 1);
    const char *text = row < LONG_TEXT ? texts[row] : longest;
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, *text != '\0' ? strlen(text) : 1);
    remove_place(root, place);
    if (place->attribute[0] != '\0') {
        const hid_t made = H5Acreate_by_name(root, place->at, place->attribute, type, space,
                                             H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        H5Awrite(made, type, text);
        H5Aclose(made);
    } else {
        const hid_t made = H5Dcreate2(root, place->at, type, space, H5P_DEFAULT, H5P_DEFAULT,
                                      H5P_DEFAULT);
        H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text);
        H5Dclose(made);
    }
    H5Sclose(space);
    H5Tclose(type);
}

/* Whether no such text can be there: those of the problem and the method are names and numbers.
 * Percolation has no q. */
static bool must_be_refused(const file *of, const place *place, size_t row)
{
    if (place->attribute[0] != '\0' || strstr(place->at, "/method/") != NULL)
        return true;
    if (strncmp(place->at, "/problem/", 9) == 0 || strncmp(place->at, "/clup/", 6) == 0) {
        static const char *const keys[] = {"model", "lattice",  "size",
                                           "q",     "replicas", "observables"};
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
            if (strcmp(strrchr(place->at, '/') + 1, keys[k]) == 0)
                return row > 1 || !of->percolates || strcmp(keys[k], "q") != 0;
    }
    return row == LONG_TEXT;
}

static void check_values(const file *of, const places *places)
{
    unsigned tried = 0, clear = 0;
    for (size_t k = 0; k < places->count; k++) {
        const place *place = &places->of[k];
        const size_t rows = place->is_text ? LONG_TEXT + 1 : 2 * sizeof patterns / sizeof *patterns;
        for (size_t row = 0; row < rows; row++, tried++) {
            const hid_t root = begin(of);
            if (place->is_text)
                change_text(root, place, row);
            else
                change_numbers(root, place, row / 2, row % 2 != 0);
            finish(of, root);
            const clup_status status = read_file(of->is_checkpoint);
            if ((status == CLUP_ERROR_RUNTIME && says_path()) ||
                (status == CLUP_OK && (!place->is_text || !must_be_refused(of, place, row))))
                clear++;
            else
                printf("# %s %s %s, value %zu: %s\n", of->name, place->at, place->attribute, row,
                       status == CLUP_OK ? "was read" : clup_error_detail());
        }
    }
    ok(clear == tried, "%s: of %u other values %u are refused, or can be", of->name, tried, clear);
}

/* Series whose hash is right, of numbers that no lattice has. */
static void check_series(const clup_problem *problem)
{
    static const double values[] = {0, -0.0, 1, -1.5, 1e300, -1e300, 0x1p63, -0x1p63, 4.9e-324};
    enum { VALUES = sizeof values / sizeof *values, COUNT = 64 };
    clup_record *record;
    double series[COUNT];
    NEED(clup_record_create(problem, &record));
    for (size_t row = 0; row < VALUES * VALUES; row++) {
        for (size_t k = 0; k < COUNT; k++)
            series[k] = values[k % 3 == 0 ? row % VALUES : row / VALUES];
        for (uint32_t r = 0; r < clup_record_systems(record); r++)
            for (size_t k = 0; k < 2; k++)
                NEED(clup_record_set_series(record, r, k == 0 ? "energy" : "m2", series, COUNT));
        use_record(record);
    }
    ok(1, "averages are taken of series of %d pairs of values", VALUES * VALUES);
    clup_record_free(record);
}

/* A checkpoint that says it is of no systems, with arrays of so many. */
static void check_no_systems(const file *of, const places *places)
{
    const hid_t root = begin(of);
    for (size_t k = 0; k < places->count; k++) {
        const place *place = &places->of[k];
        const int axis = strcmp(place->at, "/series/records") == 0 ||
                                 strcmp(place->at, "/tempering/measured") == 0
                             ? 1
                             : 0;
        making how = {.type = place->type, .axes = place->axes, .unwritten = true};
        if (strcmp(place->at, "/problem/replicas") == 0)
            change_text(root, place, 1);
        if (place->is_text || place->axes == 0)
            continue;
        memcpy(how.shape, place->shape, sizeof place->shape);
        how.shape[axis] = 0;
        how.properties = H5Pcreate(H5P_DATASET_CREATE);
        remove_place(root, place);
        make(root, place, &how);
        H5Pclose(how.properties);
    }
    finish(of, root);
    ok(read_file(true) == CLUP_ERROR_RUNTIME && says_path() &&
           strstr(clup_error_detail(), "its replicas is '0'") != NULL,
       "%s of no systems: %s", of->name, clup_error_detail());
}

/* ---- flipped bits ---------------------------------------------------------------------------- */

static uint64_t random_state;
static uint32_t draw(uint32_t most)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33) % most;
}

static void check_flips(const file *of, uint64_t seed, unsigned count)
{
    unsigned clear = 0;
    random_state = seed;
    for (unsigned k = 0; k < count; k++) {
        file changed = *of;
        changed.bytes = malloc(of->size);
        memcpy(changed.bytes, of->bytes, of->size);
        for (uint32_t flips = 1 + draw(3); flips > 0; flips--) {
            const size_t block = of->is_checkpoint ? CLUP_STAMP : 0;
            changed.bytes[block + draw((uint32_t)(of->size - block))] ^= (uint8_t)(1u << draw(8));
        }
        mend(&changed);
        save(changed.bytes, changed.size);
        free(changed.bytes);
        const clup_status status = read_file(of->is_checkpoint);
        if (status == CLUP_OK || (status == CLUP_ERROR_RUNTIME && says_path()))
            clear++;
        else
            printf("# %s, flip %u of seed %llu: %s\n", of->name, k, (unsigned long long)seed,
                   clup_error_detail());
    }
    ok(clear == count, "%s: of %u with flipped bits %u are refused, or can be", of->name, count,
       clear);
}

/* ---- good files ------------------------------------------------------------------------------ */

static clup_simulation *simulate(const clup_problem *problem, bool tempers)
{
    clup_simulation *simulation;
    NEED(clup_simulation_create(NULL, problem, NULL, NULL, 5, CLUP_START_RANDOM, &simulation));
    NEED(clup_simulation_observe(simulation, (const clup_observable[]){CLUP_CORRELATION_X}, 1, 2));
    if (tempers)
        NEED(clup_simulation_temper(simulation, 2));
    NEED(clup_simulation_run(simulation, 9, 1, NULL, NULL));
    return simulation;
}

static file checkpoint_of(const char *name, const clup_problem *problem, bool tempers)
{
    clup_simulation *simulation = simulate(problem, tempers);
    clup_record *said;
    NEED(clup_record_create(problem, &said));
    NEED(clup_record_set(said, "device", "none"));
    NEED(clup_record_set(said, "first_sweep", "1"));
    NEED(clup_simulation_save(simulation, said, path));
    clup_record_free(said);
    clup_simulation_free(simulation);
    return load(name, true);
}

/* A scan whose points have, or have not, values of samples that fill no block; and the series of
 * it. */
static file scan_of(const char *name, bool of_series)
{
    static const double ps[] = {0.25, 0.5, 0.75};
    const clup_problem problem = {
        .size = {6, 5}, .periodic = {1, 0}, .model = CLUP_SITE_PERCOLATION};
    clup_percolation *percolation;
    clup_percolation_scan *scan;
    clup_record *record;
    NEED(clup_percolation_create(NULL, &problem, NULL, 5, &percolation));
    NEED(clup_percolation_scan_create(&problem, 5, ps, 3, 1, &scan));
    NEED(clup_percolation_scan_run(scan, percolation, 0, 1000, NULL, NULL));
    NEED(clup_percolation_scan_run(scan, percolation, 1, 1007, NULL, NULL));
    NEED(clup_percolation_scan_record(scan, &record));
    NEED(clup_record_set(record, "device", "none"));
    if (of_series)
        NEED(clup_record_write(record, path));
    else
        NEED(clup_percolation_scan_save(scan, record, path));
    clup_record_free(record);
    clup_percolation_scan_free(scan);
    clup_percolation_free(percolation);
    file made = load(name, !of_series);
    made.percolates = true;
    return made;
}

static file series_of(const char *name, const clup_problem *problem)
{
    static const double values[] = {-1.5, -1.25, -1.75, -1, -1.5};
    clup_record *record;
    NEED(clup_record_create(problem, &record));
    for (uint32_t r = 0; r < clup_record_systems(record); r++) {
        NEED(clup_record_set_series(record, r, "energy", values, 5));
        NEED(clup_record_set_series(record, r, "m2", values, 5));
    }
    NEED(clup_record_set(record, "device", "none"));
    NEED(clup_record_set(record, "every", "2"));
    NEED(clup_record_write(record, path));
    clup_record_free(record);
    return load(name, false);
}

static herr_t copy_old(hid_t root, const char *name, const H5O_info_t *info, void *user)
{
    const hid_t to = *(const hid_t *)user;
    if (strcmp(name, ".") != 0 && info->type == H5O_TYPE_GROUP)
        H5Gclose(H5Gcreate2(to, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    else if (info->type == H5O_TYPE_DATASET)
        H5Ocopy(root, name, to, name, H5P_DEFAULT, H5P_DEFAULT);
    return 0;
}

/* As HDF5 writes it where nothing else is asked for: without checksums. */
static void check_old_form(const file *of)
{
    static const char old[] = "strangers old.h5";
    char form[64] = "";
    save(of->bytes, of->size);
    const hid_t create = H5Pcreate(H5P_FILE_CREATE), root = H5Fopen(path, H5F_ACC_RDONLY, 0);
    H5Pset_userblock(create, of->is_checkpoint ? CLUP_STAMP : 0);
    hid_t to = H5Fcreate(old, H5F_ACC_TRUNC, create, H5P_DEFAULT);
    H5Ovisit(root, H5_INDEX_NAME, H5_ITER_INC, copy_old, &to);
    const hid_t from = H5Aopen(root, "clup", H5P_DEFAULT), type = H5Aget_type(from),
                space = H5Aget_space(from),
                mark = H5Acreate2(to, "clup", type, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Aread(from, type, form);
    H5Awrite(mark, type, form);
    H5Aclose(from);
    H5Aclose(mark);
    H5Tclose(type);
    H5Sclose(space);
    H5Fclose(root);
    H5Fclose(to);
    H5Pclose(create);
    if (rename(old, path) != 0)
        exit(1);
    file made = load(of->name, of->is_checkpoint);
    if (of->is_checkpoint)
        memcpy(made.bytes, of->bytes, CLUP_STAMP);
    mend(&made);
    save(made.bytes, made.size);
    free(made.bytes);
    ok(read_file(of->is_checkpoint) == CLUP_ERROR_RUNTIME && says_path() &&
           strstr(clup_error_detail(), "no checksums") != NULL,
       "%s without checksums: %s", of->name, clup_error_detail());
}

int main(int argc, char **argv)
{
    static const double betas[] = {0.7, 0.9, 1.1};
    static const clup_problem one = {.size = {9, 7}, .periodic = {1, 0}, .q = 3, .beta = 0.95},
                              several = {.size = {8, 6},
                                         .periodic = {1, 1},
                                         .q = 2,
                                         .replicas = 3,
                                         .betas = betas};
    static places places;
    const uint64_t seed = argc > 2 ? strtoull(argv[1], NULL, 10) : 1;
    const unsigned flips = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 300;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    remove("pipe");
    if (mkfifo("pipe", 0600) != 0)
        return 99;
    const file files[] = {
        checkpoint_of("a checkpoint", &one, false),
        checkpoint_of("a checkpoint of tempering", &several, true), series_of("series", &several),
        scan_of("a checkpoint of percolation", false), scan_of("series of percolation", true)};
    check_series(&several);
    /* whoever is held up by the pipe is ended */
    alarm(argc > 2 ? 0 : 300);
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        const file *of = &files[k];
        save(of->bytes, of->size);
        ok(read_file(of->is_checkpoint) == CLUP_OK, "%s as it was written is read", of->name);
        check_old_form(of);
        if (argc <= 2) {
            find_places(of, &places);
            check_what(of, &places);
            check_values(of, &places);
            if (of->is_checkpoint)
                check_no_systems(of, &places);
        }
        check_flips(of, seed, flips);
        free(files[k].bytes);
    }
    remove("pipe");
    remove(path);
    return done_testing();
}
#else
int main(void)
{
    ok(clup_hdf5_version() == NULL, "without HDF5 there is nothing to read of %s", path);
    return done_testing();
}
#endif
