import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Embedder } from './embedder.ts';
import { splitByScript, withOtherScripts } from './other-scripts.ts';
import { openStaticEmbedder } from './static/static-table.ts';

let table: Embedder;
let embedder: Embedder;
beforeAll(async () => {
  table = await openStaticEmbedder(join(import.meta.dirname, '../../models/static-en-256'));
  embedder = withOtherScripts(table);
});
afterAll(() => embedder.close());

async function cosine(...texts: [string, string]): Promise<number> {
  const [one = new Float32Array(), two = new Float32Array()] = await embedder.embed(texts);
  return one.reduce((sum, value, i) => sum + value * (two[i] ?? 0), 0);
}

describe('texts in other scripts', () => {
  it.each([
    ['Проверь орфографию в файле', 'Проверять орфографию в документах'],
    ['今日の天気はどうですか', '明日の天気を教えて'],
    ['날씨 알려줘', '날씨를 알려 주세요'],
    ['दिल्ली का मौसम', 'मुंबई का मौसम बताओ'],
    ['Проверь spelling', 'check the spelling'],
  ])('are near if they share words: %s, %s', async (one, two) => {
    expect(await cosine(one, two)).toBeGreaterThan(0.4);
  });

  it.each([
    ['Какая погода завтра', 'Проверять орфографию в документах'],
    ['Переведи этот рецепт на английский', 'Проверять орфографию в документах'],
    ['今日の天気はどうですか', '検査ログファイル'],
    ['صحح الأخطاء', 'ما هو الطقس'],
    ['Проверь орфографию', 'check the spelling'],
  ])('and far if they share none: %s, %s', async (one, two) => {
    expect(await cosine(one, two)).toBeLessThan(0.25);
  });

  it('have vectors of length one, never mixed with those of the embedder itself', async () => {
    const vectors = await embedder.embed(['погода', 'the weather, погода', 'weather']);
    for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1);
    expect(embedder.version).not.toBe(table.version);
  });

  it('change nothing for others', async () => {
    const texts = [
      'find slow requests',
      'Ünïcode façade naïve café',
      'größer als 3 €',
      '',
      '—',
      '搜索 MCP 工具',
    ];
    expect(await embedder.embed(texts)).toEqual(await table.embed(texts));
  });
});

describe('a text in two scripts', () => {
  it.each([
    ['bing_search. 搜索指定的关键词', ['bing_search.', '搜索指定的关键词']],
    ['Проверь отчёт в PDF, пожалуйста', ['PDF,', 'Проверь отчёт в пожалуйста']],
    ['find slow requests: größer als 3 €', ['find slow requests: größer als 3 €']],
    ['Проверь 3 файла.', ['Проверь 3 файла.']],
  ])('is split: %s', (text, parts) => {
    expect(splitByScript(text)).toEqual(parts);
  });
});
