# SPDX-License-Identifier: BSD-3-Clause
# Makes a C table of texts, kernel sources and others: awk -f embed.awk FILE... Each file becomes a list of its lines;
# its name is its path below cl/, or that without folders.
function name_of(path) {
    if (!sub(/.*\/cl\//, "", path))
        sub(/.*\//, "", path)
    return path
}
BEGIN {
    print "/* Made by m4/embed.awk. */"
    print "#include \"ocl/source.h\"\n"
}
FNR == 1 {
    if (files > 0)
        print "    0,\n};\n"
    names[files++] = name_of(FILENAME)
    printf "static const char *const file_%d[] = {\n", files - 1
}
{
    gsub(/\\/, "&&")
    gsub(/"/, "\\\"")
    printf "    \"%s\\n\",\n", $0
}
END {
    print "    0,\n};\n"
    print "const clup_embedded_file clup_embedded_files[] = {"
    for (k = 0; k < files; k++)
        printf "    {\"%s\", file_%d},\n", names[k], k
    print "    {0, 0},\n};"
}
