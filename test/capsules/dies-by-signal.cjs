// Is ended by a signal that nobody here sent.
process.stdin.once('data', () => process.kill(process.pid, 'SIGSEGV'));
