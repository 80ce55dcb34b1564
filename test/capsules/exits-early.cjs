// Goes before it has read anything.
process.exit(7);
