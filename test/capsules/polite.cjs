// Reads its request, answers, and goes when stdin ends.
process.stdin.once('data', (line) => {
  const { task } = JSON.parse(line);
  console.log(JSON.stringify({ type: 'agent_response', status: 'ok', result: `did: ${task}` }));
});
