// Wants to live.
process.on('SIGTERM', () => console.error('not now'));
process.stdin.on('data', () => console.log(JSON.stringify({ type: 'progress', text: 'ready' })));
setInterval(() => {}, 1_000);
