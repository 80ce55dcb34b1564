// Dies of an exception.
process.stdin.once('data', () => {
  throw new Error('the moon is in the way');
});
