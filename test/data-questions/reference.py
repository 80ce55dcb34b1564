"""Answers questions about data with the standard library alone: reads a list of expressions, prints a list of rows."""
import csv, io, json, re, sqlite3, statistics, sys
from collections import Counter, defaultdict

def table(path, encoding='utf-8', delimiter=','):
    with open(path, newline='', encoding=encoding) as file:
        return list(csv.DictReader(file, delimiter=delimiter))

def lists(path, encoding='utf-8', delimiter=','):
    with open(path, newline='', encoding=encoding) as file:
        return list(csv.reader(file, delimiter=delimiter))

def number(text):
    try: return float(text)
    except (TypeError, ValueError): return None

def numbers(rows, key): return [n for n in (number(row[key]) for row in rows) if n is not None]
def lines(path): return open(path, encoding='utf-8').read().splitlines()
def db(path, sql): return [list(row) for row in sqlite3.connect(path).execute(sql)]

def groups(rows, key):
    found = defaultdict(list)
    for row in rows: found[key(row)].append(row)
    return found

orders = table('orders.csv')
customers = table('customers.tsv', 'utf-16', '\t')
products = json.load(open('products.json', encoding='utf-8'))['data']['items']
events = [json.loads(line) for line in lines('events.jsonl')]
ACCESS = re.compile(r'(\S+) \S+ (\S+) \[([^\]]+)\] "(\S+) ([^ ?]+)\?(\S*) (\S+)" (\d+) (\S+) "([^"]*)" "([^"]*)" (\S+)$')
log = [ACCESS.match(line).groups() for line in lines('access.log')]
PAIR = re.compile(r'(\w+)=(?:"([^"]*)"|(\S*))')
pairs = [{k: q or p for k, q, p in PAIR.findall(line)} for line in lines('app.log') if '=' in line]

def answer(expression): return [list(row) for row in eval(expression, globals())]
json.dump([answer(one) for one in json.load(sys.stdin)], sys.stdout)
