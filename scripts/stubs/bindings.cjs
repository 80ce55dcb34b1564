// Searches a dozen folders for the native part of better-sqlite3, which is always installed in this one.
module.exports = (name) => require(`better-sqlite3/build/Release/${name}`);
