// Logs to stdout, for ever.
setInterval(() => console.log('debug: still here'), 0);
