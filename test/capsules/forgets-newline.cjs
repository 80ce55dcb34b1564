// Ends without ending its line.
process.stdout.write(JSON.stringify({ type: 'agent_response', status: 'ok', result: 'done' }));
