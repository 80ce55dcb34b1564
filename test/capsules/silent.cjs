// Takes its request and goes without a word.
process.stdin.once('data', () => process.exit(0));
