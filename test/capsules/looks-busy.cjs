// Shows progress for ever.
process.stdin.once('data', () =>
  setInterval(() => console.log(JSON.stringify({ type: 'progress', text: 'nearly there' })), 20),
);
