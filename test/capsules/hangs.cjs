// Does nothing, for ever.
setInterval(() => {}, 1_000);
