// Answers with all that it inherited.
process.stdin.once('data', () => {
  const result = { env: process.env, cwd: process.cwd(), argv: process.argv.slice(1) };
  console.log(JSON.stringify({ type: 'agent_response', status: 'ok', result }));
});
