// Shows more progress than anybody wants to see, then answers.
for (let i = 1; i <= 1_500; i += 1) {
  console.log(JSON.stringify({ type: 'progress', text: `step ${i}` }));
}
console.log(JSON.stringify({ type: 'agent_response', status: 'ok', result: 'done' }));
