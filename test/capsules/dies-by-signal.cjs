// Is ended by a signal that Capstan did not send.
process.stdin.once('data', () => process.kill(process.pid, 'SIGSEGV'));
