import { join } from 'node:path';
import * as z from 'zod';
import { type PlaceOf, readStrictYaml } from '../../config/yaml/strict-yaml.ts';
import { either } from '../../contract/text/either.ts';
import { keySettings } from '../../contract/vendors.ts';
import { once } from '../../platform/once.ts';
import { type Price, type Priced, priceOf } from './catalogue.ts';

/** The user's price of one model, or of all models that match a pattern. */
export interface OwnPrice {
  readonly price: Price;
  readonly source: string;
  readonly date: string;
}

export type OwnPrices = ReturnType<typeof createOwnPrices>;

/** The user's own prices. */
export const ownPricesFile = (configDir: string): string => join(configDir, 'prices.yaml');

const form = once(() => {
  const usd = z
    .number('write the price per million tokens in dollars, such as 0.25')
    .nonnegative('at least 0')
    .max(1e6, 'at most 1000000');

  const OwnPriceText = z.strictObject(
    {
      input_usd: usd,
      cached_input_usd: usd.optional(),
      cache_write_usd: usd.optional(),
      output_usd: usd,
      date: z.iso.date('write the date of the price, such as 2026-11-01'),
      source: z
        .string('write the source of the price, such as the address of a page')
        .min(1, 'leave it out, or write the source of the price')
        .max(500, 'at most 500 characters')
        .optional(),
    },
    'write input_usd, output_usd and date',
  );

  const modelName = z
    .string()
    .min(1, 'write the name of a model')
    .max(200, 'at most 200 characters')
    .regex(/^[^\s\p{Cc}]+$/u, 'write the name of a model without spaces; * matches any characters');

  const models = z.record(
    modelName,
    OwnPriceText,
    'write models: <name>: {input_usd, output_usd, date}',
  );

  /** Vendors with paid models. */
  const paid = keySettings.map(([name]) => name);

  const File = z.strictObject(
    Object.fromEntries(paid.map((name) => [name, models.optional()])),
    `write ${either(paid)}`,
  );
  const fields = [...paid, ...Object.keys(OwnPriceText.shape)];
  return { schema: File, fields, page: 'docs/money.md' };
});
type OwnPriceFile = z.output<ReturnType<typeof form>['schema']>;
type OwnPriceText = NonNullable<OwnPriceFile[string]>[string];

/**
 * The user's `prices.yaml` in the settings folder; undefined if there is none.
 *
 * @throws AppError `SETTINGS_INVALID`, with file, line, field, value and fix of every problem.
 */
export async function loadOwnPrices(configDir: string): Promise<OwnPrices | undefined> {
  const parsed = await readStrictYaml(ownPricesFile(configDir), form);
  return parsed && createOwnPrices(parsed.value, parsed.placeOf);
}

interface Entry extends OwnPrice {
  readonly provider: string;
  readonly name: string;
  matches(model: string): boolean;
}

function createOwnPrices(file: OwnPriceFile, placeOf: PlaceOf) {
  const entries = Object.entries(file).flatMap(([provider, ofProvider]) =>
    Object.entries(ofProvider ?? {}).map(([name, text]): Entry => {
      const source = text.source ?? placeOf([provider, name]);
      return { provider, name, matches: patternOf(name), ...toPrice(text), source };
    }),
  );
  return {
    /** A full name takes precedence over patterns; of several patterns, the first in the file applies. */
    find({ provider, model }: Pick<Priced, 'provider' | 'model'>): OwnPrice | undefined {
      const ofProvider = entries.filter((entry) => entry.provider === provider);
      return (
        ofProvider.find(({ name }) => name === model) ??
        ofProvider.find(({ matches }) => matches(model))
      );
    },
  };
}

const toPrice = ({ date, ...text }: OwnPriceText) => ({
  date,
  price: priceOf((kind) => Math.round((text[`${kind}_usd`] ?? text.input_usd) * 1e6)),
});

/** `gpt-5*`: a star matches any characters. Parts are searched in order, in linear time. */
function patternOf(pattern: string): (model: string) => boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return (model) => model === pattern;
  return (model) => {
    if (!model.startsWith(first)) return false;
    let from = first.length;
    for (const part of rest) {
      const found = model.indexOf(part, from);
      if (found === -1) return false;
      from = found + part.length;
    }
    return model.length - last.length >= from && model.endsWith(last);
  };
}
