"""Writes workbooks of random values with openpyxl, XlsxWriter and pandas, and prints what openpyxl and pandas read.

python _write_workbooks.py FOLDER SEED: one line of JSON a workbook: its file, what its table holds as rows of texts, and
numbers as numbers; and the cells of formulas without a stored value and of errors, by openpyxl.
"""
import datetime, json, random, re, sys, zipfile
import openpyxl, pandas, xlsxwriter
import openpyxl.worksheet.table
from openpyxl.utils.datetime import CALENDAR_MAC_1904

folder, seed = sys.argv[1], int(sys.argv[2])
chance = random.Random(seed)
ROWS = 400
TEXTS = ["Peru", " padded ", "two\nlines", "a,b;\"c\"", "Côte d'Ivoire", "🧬", "<&>", "007", "1e5", "TRUE", "=", "x" * 3000]
FORMATS = {"day": "yyyy-mm-dd", "clock": "yyyy\\-mm\\-dd\\ hh:mm:ss", "time": "h:mm:ss", "duration": "[h]:mm:ss"}


def moment(first_year):
    start = datetime.datetime(first_year, 1, 1)
    # The first days come often: the system of 1900 counts a 29 February after them. XlsxWriter writes times of 28
    # February as if they were on that day.
    end = start + datetime.timedelta(days=58) if chance.random() < 0.2 else datetime.datetime(9999, 12, 31)
    seconds = int((end - start).total_seconds())
    return start + datetime.timedelta(seconds=chance.randrange(seconds))


def value(kind, first_year):
    if chance.random() < 0.1:
        return None
    match kind:
        case "text":
            return chance.choice(TEXTS)
        case "whole":
            return chance.randrange(-(10**12), 10**12)
        case "float":
            return chance.choice([chance.random(), chance.uniform(-1e9, 1e9), 10 ** chance.uniform(-20, 20), 48.12])
        case "flag":
            return chance.random() < 0.5
        case "day":
            return moment(first_year).date()
        case "clock":
            return moment(first_year)
        case "time":
            return (datetime.datetime.min + datetime.timedelta(seconds=chance.randrange(86400))).time()
        case "duration":
            return datetime.timedelta(seconds=chance.randrange(86400, 10**7))


KINDS = ["text", "whole", "float", "flag", "day", "clock", "time", "duration"]


def table(first_year=1900):
    rows = [[f"row {number}", *(value(kind, first_year) for kind in KINDS)] for number in range(ROWS)]
    return [["id", *KINDS], *rows]


def plain(value):
    """The text of a value; a number as it is."""
    if value is None or value is pandas.NaT or value != value:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return value
    if isinstance(value, datetime.datetime):
        value = value.replace(microsecond=0) + datetime.timedelta(seconds=round(value.microsecond / 1e6))
        return value.isoformat()
    if isinstance(value, datetime.timedelta):
        seconds = round(value.total_seconds())
        return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    if isinstance(value, datetime.time):
        return value.replace(microsecond=0).isoformat()
    return str(value)


def report(name, sheet=0):
    """Prints what openpyxl reads, cell by cell, and what pandas reads."""
    path = f"{folder}/{name}"
    values = openpyxl.load_workbook(path, data_only=True).worksheets[sheet]
    formulas = openpyxl.load_workbook(path).worksheets[sheet]
    rows = [[plain(cell.value) for cell in row] for row in values.iter_rows()]
    unstored = [c.coordinate for row in formulas.iter_rows() for c in row
                if c.data_type == "f" and values[c.coordinate].value is None]
    errors = [c.coordinate for row in values.iter_rows() for c in row if c.data_type == "e"]
    for row in values.iter_rows():
        for cell in row:
            if cell.data_type == "e":
                rows[cell.row - 1][cell.column - 1] = ""
    frame = pandas.read_excel(path, sheet_name=sheet, header=None, dtype=object, na_filter=True, keep_default_na=False,
                              na_values=["#N/A", "#DIV/0!"])
    by_pandas = [[plain(cell) for cell in row] for row in frame.values.tolist()]
    print(json.dumps({"file": name, "rows": rows, "pandas": by_pandas, "unstored": unstored, "errors": errors}))


def write_openpyxl(name, epoch=None, iso_dates=False, write_only=False, first_year=1900):
    book = openpyxl.Workbook(write_only=write_only, iso_dates=iso_dates)
    if epoch is not None:
        book.epoch = epoch
    sheet = book.create_sheet("data", 0) if not write_only else book.create_sheet("data")
    rows = table(first_year)
    for row in rows:
        sheet.append(["equals" if cell == "=" else cell for cell in row])
    book.save(f"{folder}/{name}")
    report(name)


def write_xlsxwriter(name, options, first_year=1900):
    book = xlsxwriter.Workbook(f"{folder}/{name}", options)
    sheet = book.add_worksheet()
    formats = {kind: book.add_format({"num_format": code}) for kind, code in FORMATS.items()}
    for number, row in enumerate(table(first_year)):
        for column, cell in enumerate(row):
            kind = KINDS[column - 1] if column > 0 and number > 0 else "text"
            if cell is None:
                sheet.write_blank(number, column, None, formats.get(kind))
            elif isinstance(cell, str):
                sheet.write_string(number, column, cell)
            elif kind in formats:
                sheet.write_datetime(number, column, cell, formats[kind])
            else:
                sheet.write(number, column, cell)
    book.close()
    report(name)


write_openpyxl("openpyxl.xlsx")
write_openpyxl("openpyxl_1904.xlsx", epoch=CALENDAR_MAC_1904, first_year=1905)
write_openpyxl("openpyxl_iso.xlsx", iso_dates=True)
write_openpyxl("openpyxl_write_only.xlsx", write_only=True)
write_xlsxwriter("xlsxwriter.xlsx", {})
write_xlsxwriter("xlsxwriter_constant_memory.xlsx", {"constant_memory": True})
write_xlsxwriter("xlsxwriter_1904.xlsx", {"date_1904": True}, first_year=1905)

for engine in ["openpyxl", "xlsxwriter"]:
    header, *rows = table(2000)
    frame = pandas.DataFrame(rows, columns=header).drop(columns=["duration", "time"])
    frame["clock"] = pandas.to_datetime(frame["clock"], errors="coerce", unit=None)
    frame["text"] = frame["text"].replace("=", "equals")
    frame.to_excel(f"{folder}/pandas_{engine}.xlsx", engine=engine, index=False)
    report(f"pandas_{engine}.xlsx")

book = openpyxl.Workbook()
sheet = book.active
sheet.append(["id", "formula", "error"])
for number in range(2, 50):
    sheet.append([f"row {number}", "=1+1" if number % 3 else 7, chance.choice(["#N/A", "#DIV/0!", "fine"])])
book.create_sheet("other").append(["id"])
book.save(f"{folder}/formulas.xlsx")
report("formulas.xlsx")

# Cells as they show: openpyxl gives the values and formats, from which the texts follow.
def write_shown(name, epoch=None):
    book = openpyxl.Workbook()
    if epoch is not None:
        book.epoch = epoch
    sheet = book.active
    rows = [["id", "month", "year", "number", "code", "share"]]
    for number in range(1, 200):
        day = datetime.date(1905 + chance.randrange(200), 1 + chance.randrange(12), 1)
        year = datetime.date(1905 + chance.randrange(200), 1, 1)
        code, share = chance.randrange(10**7), chance.randrange(10**4)
        sheet.append([f"row {number}", day, year, code, code, share / 10**4])
        formats = ["General", chance.choice(["mmm-yy", "yyyy-mm", "mmmm yyyy"]), "yyyy", "00000", '"EPI_"0', "0.00%"]
        for cell, code_of_format in zip(sheet[number], formats):
            cell.number_format = code_of_format
        shown = f"{share // 100}.{share % 100:02}".rstrip("0").rstrip(".")
        rows.append([f"row {number}", day.strftime("%Y-%m"), str(year.year), f"{code:05}", f"EPI_{code}", shown])
    sheet.insert_rows(1)
    for cell, text in zip(sheet[1], rows[0]):
        cell.value = text
    book.save(f"{folder}/{name}")
    print(json.dumps({"file": name, "rows": rows, "pandas": rows, "unstored": [], "errors": []}))


write_shown("shown.xlsx")
write_shown("shown_1904.xlsx", epoch=CALENDAR_MAC_1904)

# Newer programs add an element of an extension that has the name of the one with the system of dates.
EXTENSION = (b'<extLst><ext uri="{140A7094-0E35-4892-8432-C4D2E57EDEB5}" xmlns:x15="http://schemas.microsoft.com/office/'
             b'spreadsheetml/2010/11/main"><x15:workbookPr chartTrackingRefBase="1"/></ext></extLst></workbook>')
with zipfile.ZipFile(f"{folder}/openpyxl_1904.xlsx") as whole, zipfile.ZipFile(f"{folder}/extended.xlsx", "w") as more:
    for name in whole.namelist():
        content = whole.read(name)
        more.writestr(name, content.replace(b"</workbook>", EXTENSION) if name == "xl/workbook.xml" else content)
report("extended.xlsx")

# A table object with a title above, a remark below, and merged cells that openpyxl names.
book = openpyxl.Workbook()
sheet = book.active
sheet["A1"] = "Samples of the lab"
sheet["B3"], sheet["C3"] = "id", "country"
for number in range(4, 60):
    sheet.cell(number, 2, f"row {number}")
    sheet.cell(number, 3, chance.choice(["Peru", "Cuba"]))
sheet["B62"] = "old"
sheet.add_table(openpyxl.worksheet.table.Table(displayName="Samples", ref="B3:C59"))
for top in range(4, 56, 4):
    sheet.merge_cells(start_row=top, end_row=top + chance.randrange(4), start_column=3, end_column=3)
book.save(f"{folder}/table_object.xlsx")
sheet = openpyxl.load_workbook(f"{folder}/table_object.xlsx").active
rows = [[plain(cell.value) for cell in row] for row in sheet[sheet.tables["Samples"].ref]]
for merged in sheet.merged_cells.ranges:
    for row in range(merged.min_row, merged.max_row + 1):
        rows[row - 3][1] = plain(sheet.cell(merged.min_row, 3).value)
print(json.dumps({"file": "table_object.xlsx", "rows": rows, "pandas": rows, "unstored": [], "errors": []}))

# Sheets without positions of rows and cells are valid: each follows the one before.
with zipfile.ZipFile(f"{folder}/openpyxl.xlsx") as whole, zipfile.ZipFile(f"{folder}/unnumbered.xlsx", "w") as bare:
    for name in whole.namelist():
        content = whole.read(name)
        if name == "xl/worksheets/sheet1.xml":
            content = re.sub(rb'<(row|c) r="[A-Z0-9]+"', rb"<\1", content)
        bare.writestr(name, content)
report("unnumbered.xlsx")
