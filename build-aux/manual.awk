# SPDX-License-Identifier: GPL-3.0-or-later
# awk -v page=NAME -f manual.awk FILE.md: a manual page of section 7 in mdoc from a page of Markdown:
#   <!-- DATE. ... -->      the first line; other lines of this kind are left out
#   # TITLE, ## SECTION     the text before the first section is the description; "## See also" lists pages
#   paragraphs              with `code` and *emphasis*
#   "    TEXT"              a block, as it is
#   | A | B | C |           a row of a table with a head: an item A with the text "B: C"

BEGIN {
    print ".\\\" SPDX-License-Identifier: GPL-3.0-or-later"
    print ".\\\" Made by build-aux/manual.awk."
}

# Text without a meaning for roff: what is typed keeps its characters.
function plain(text) {
    gsub(/\\/, "\\e", text)
    gsub(/é/, "\\('e", text)
    gsub(/"/, "\\(dq", text)
    return text
}

# Each sentence begins a line.
function prose(text) {
    text = plain(text)
    gsub(/[.] +/, ".\n", text)
    gsub(/[?] +/, "?\n", text)
    return text
}

function code(text) {
    text = plain(text)
    gsub(/-/, "\\-", text)
    gsub(/'/, "\\(aq", text)
    gsub(/`/, "\\(ga", text)
    gsub(/\^/, "\\(ha", text)
    gsub(/~/, "\\(ti", text)
    return text
}

# Pieces between backquotes are code, the others may have *emphasis*.
function inline(text,   pieces, n, k, out, parts, m, j) {
    n = split(text, pieces, "`")
    for (k = 1; k <= n; ++k) {
        if (k % 2 == 0) {
            out = out "\\fB" code(pieces[k]) "\\fR"
            continue
        }
        m = split(pieces[k], parts, "*")
        for (j = 1; j <= m; ++j)
            out = out (j % 2 == 0 ? "\\fI" plain(parts[j]) "\\fR" : prose(parts[j]))
    }
    return out
}

# A line of roff that begins with no control character
function line(text) { print (text ~ /^[.']/ ? "\\&" : "") text }

# The end of what the last lines are
function close_all() {
    if (state == "text") line(inline(text))
    if (state == "block") print ".Ed"
    if (state == "table") print ".El"
    state = ""
}

# A paragraph, unless a section has just begun
function paragraph() {
    if (!fresh) print ".Pp"
    fresh = 0
}

NR == 1 {
    date = $0
    gsub(/^<!-- |[.].*/, "", date)
    print ".Dd " date
    print ".Dt " toupper(page) " 7"
    print ".Os"
    print ".Sh NAME"
    print ".Nm " page
    next
}
/^<!-- / { next }
state == "block" && /^$/ { ++blank; next }
/^    / {
    if (state != "block") {
        close_all()
        print ".Bd -literal -offset 2n"
        state = "block"
    }
    for (; blank > 0; --blank) print ""
    line(code(substr($0, 5)))
    fresh = 0
    next
}
state == "block" { close_all(); blank = 0 }
/^# / {
    print ".Nd " tolower(substr($0, 3, 1)) plain(substr($0, 4))
    print ".Sh DESCRIPTION"
    fresh = 1
    next
}
/^## / {
    close_all()
    listing = /^## See also/
    print ".Sh " (listing ? "SEE ALSO" : "\"" plain(substr($0, 4)) "\"")
    fresh = 1
    next
}
/^$/ { close_all(); next }
/^[|]-/ { next }
/^[|]/ {
    if (state != "table") {
        close_all()
        print ".Bl -tag -width 2n"
        state = "table"
        fresh = 0
        next
    }
    gsub(/\\[|]/, "\001")
    split($0, cell, / *[|] */)
    for (k in cell) gsub(/\001/, "|", cell[k])
    print ".It \"" plain(cell[2]) "\""
    line(inline(cell[3]) ": " inline(cell[4]))
    next
}
listing {
    n = split($0, name, /, */)
    for (k = 1; k <= n; ++k) {
        sub(/[(]/, " ", name[k])
        sub(/[)]/, "", name[k])
        print ".Xr " name[k] (k < n ? " ," : "")
    }
    next
}
state == "text" { text = text " " $0; next }
{
    paragraph()
    text = $0
    state = "text"
}
END { close_all() }
