import { describe, expect, it } from 'vitest';
import { countryName } from './countries.ts';

describe('the name of a country', () => {
  it.each([
    ['AD', 'Andorra'],
    ['CI', 'Côte d’Ivoire'],
    ['DE', 'Germany'],
    ['US', 'United States'],
    ['ZW', 'Zimbabwe'],
    ['ZZ', undefined],
  ])('of %s is %s', (code, name) => {
    expect(countryName(code)).toBe(name);
  });
});
