// Tidies up when it is asked to go.
process.on('SIGTERM', () => {
  console.error('tidied up');
  process.exit(0);
});
process.stdin.on('data', () => console.log(JSON.stringify({ type: 'progress', text: 'ready' })));
setInterval(() => {}, 1_000);
