/** The packages that draw in a terminal, as one bundle: Ink and the React that it uses. */
module.exports = {
  ...require('ink'),
  ...require('react'),
  ...require('react/jsx-runtime'),
  yogaReady: require('./yoga-layout.ts').yogaReady,
};
