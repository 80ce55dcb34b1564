import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AppError } from '../../contract/errors.ts';
import { didYouMean } from '../../contract/text/closest.ts';
import { printable } from '../../contract/text/printable.ts';
import type { Capsule, Overlay } from '../capsule-store.ts';
import { type Finding, fault, warning } from '../finding.ts';
import { isOldShim, shimText } from '../manifest/entrypoint-shim.ts';
import { jsonLines } from '../manifest/json-lines.ts';
import { findContradictions } from './contradictions.ts';
import { lintCharacters, lintFiles, lintPipedShell } from './lint-files.ts';
import { type LintContext, lintManifest } from './lint-manifest.ts';
import type { Skill } from './skills.ts';
import { composePrompt } from './system-prompt.ts';

/** A longer overlay costs more with each call than it helps, in tokens of about four bytes. */
const LONG_OVERLAY = 2_000;
const LONG_PROMPT = 4_000;
/** Further mistakes in templates are not reported. */
const MAX_MISTAKES = 20;

/** Findings about a capsule with a valid manifest, without running it. */
export function lintCapsule(context: LintContext): Finding[] {
  const { capsule } = context;
  const path = join(capsule.dir, 'manifest.json');
  const lineOf = jsonLines(readFileSync(path, 'utf8'));
  const { overlay } = capsule;
  return [
    ...lintManifest(context, path, lineOf),
    ...lintShim(capsule),
    ...(overlay ? lintText(context, overlay) : []),
    ...lintSkillTexts(context),
    ...lintFiles(capsule),
    ...lintPrompt(context),
  ];
}

/** A shim loads handlers only if it names them. */
function lintShim({ dir }: Capsule): Finding[] {
  if (!existsSync(join(dir, 'handlers.cjs')) || !isOldShim(dir)) return [];
  const problem = 'it does not load handlers.cjs, which is in the same folder';
  const [, , start = ''] = shimText(true).split('\n');
  const fix = `Write as its last line: ${start}`;
  return [warning('capsule.handlers', join(dir, 'entrypoint.cjs'), problem, fix)];
}

/** The skills that the capsule names, in its order. */
const namedSkills = ({ capsule, skills }: LintContext): readonly Skill[] =>
  capsule.manifest.skills.flatMap((id) => skills.find((skill) => skill.id === id) ?? []);

function lintText(context: LintContext, overlay: Overlay): Finding[] {
  const { path, text } = overlay;
  const isConditional = conditionalLines(text);
  const perLine = text.split('\n').flatMap((line, index) => {
    const where = `${path}:${index + 1}`;
    return [
      ...lintCharacters(line, where),
      ...(isConditional[index] ? [] : lintTools(line, where, context)),
      ...lintSkillNames(line, where, context),
      ...lintOverrides(line, where),
    ];
  });
  const contradictions = namedSkills(context).flatMap((skill) =>
    findContradictions(text, skill.body).map((found): Finding => {
      const problem = `"${printable(found.text, 120)}" is the opposite of what the skill "${skill.id}" says: "${printable(found.ruleText, 120)}"`;
      const fix = 'Say when each of them applies, or remove one.';
      return warning('overlay.contradiction', `${path}:${found.line}`, problem, fix);
    }),
  );
  return [...perLine, ...lintPipedShell(text, path), ...contradictions, ...lintLength(overlay)];
}

/** Checks the skills that the capsule names, since models read them. */
const lintSkillTexts = (context: LintContext): Finding[] =>
  namedSkills(context).flatMap(({ path, body, bodyLine }) => {
    // Keeps the line numbers of the file.
    const text = '\n'.repeat(bodyLine - 1) + body;
    const hidden = text
      .split('\n')
      .flatMap((line, index) => lintCharacters(line, `${path}:${index + 1}`));
    return [
      ...hidden.map((one) => ({ ...one, rule: 'skill.invisible' })),
      ...lintPipedShell(text, path),
    ];
  });

/** For each line, whether it is inside or contains `{{#if can.…}}`, and so left out without the grant. */
function conditionalLines(text: string): boolean[] {
  const open: boolean[] = [];
  return text.split('\n').map((line) => {
    const wasInside = open.includes(true);
    const tags = [...line.matchAll(/\{\{\s*(?:#if\s+(can\.)?|\/if)[^}]*\}\}/g)];
    for (const [tag, can] of tags) {
      if (tag.includes('#if')) open.push(can !== undefined);
      else open.pop();
    }
    return wasInside || open.includes(true) || tags.some(([, can]) => can !== undefined);
  });
}

/** Tools and operations that the text mentions and the manifest does not grant. */
function lintTools(line: string, where: string, { capsule, tools }: LintContext): Finding[] {
  if (/\b(?:never|not|no|without|don['’]t)\b/i.test(line)) return [];
  const grants = new Map(Object.entries(capsule.manifest.grants.tools));
  const found = tools.flatMap((tool): Finding[] => {
    // A plain word such as "terminal" counts as a tool only if it is marked as code.
    const pattern = tool.includes('_') ? `\\b${tool}\\b` : `\`${tool}\\b`;
    if (!new RegExp(pattern).test(line)) return [];
    const grant = grants.get(tool);
    if (!grant) {
      const problem = `it names the tool ${tool}, which is not granted`;
      const fix = `Add it to grants.tools of the manifest, or remove it here.`;
      return [warning('overlay.grant', where, problem, fix)];
    }
    const named = [
      ...line.matchAll(new RegExp(`${tool}\\.(\\w+)`, 'g')),
      ...line.matchAll(new RegExp(`${tool}\\W{1,8}(?:with )?\\W{0,8}operation\\W{1,8}(\\w+)`, 'g')),
    ].map(([, operation = '']) => operation);
    const missing = named.filter((one) => grant.operations && !grant.operations.includes(one));
    return missing.map((operation) => {
      const problem = `it names ${tool}.${operation}, which is not granted`;
      const fix = `Add "${operation}" to grants.tools.${tool}.operations, or remove it here.`;
      return warning('overlay.grant', where, problem, fix);
    });
  });
  const unknown = [...line.matchAll(/\btools?\s+`(\w+)`/g)]
    .map(([, tool = '']) => tool)
    .filter((tool) => !tools.includes(tool))
    .map((tool) =>
      warning('overlay.tool', where, `there is no tool "${tool}"`, didYouMean(tool, tools)),
    );
  return [...found, ...unknown];
}

function lintSkillNames(line: string, where: string, { skills }: LintContext): Finding[] {
  const known = skills.map(({ id }) => id);
  return [...line.matchAll(/\bskills?\s+[`"]([\w-]+)[`"]/g)]
    .map(([, id = '']) => id)
    .filter((id) => !known.includes(id))
    .map((id) =>
      warning('overlay.skill', where, `there is no skill "${id}"`, didYouMean(id, known)),
    );
}

/** The rules that every capsule has, regardless of its overlay. */
const overrides: readonly (readonly [RegExp, string])[] = [
  [
    /\bignore\b.{0,30}\b(?:previous|earlier|above|other|all)\b.{0,30}\b(?:instructions?|rules?|skills?)/i,
    'it tells the model to ignore the layers before it, which stay in force',
  ],
  [
    /\b(?:obey|follow|carry out|execute)\b.{0,40}\b(?:instructions?|commands?|orders?)\b.{0,40}\b(?:in|from|inside|found)\b.{0,30}\b(?:files?|pages?|documents?|output|data)\b/i,
    'it tells the model to obey data, which is never an instruction',
  ],
  [
    /\b(?:without|skip|bypass|no need for)\b.{0,20}\b(?:approval|permission|asking|confirmation)/i,
    'it waives an approval, which no text can do',
  ],
];

function lintOverrides(line: string, where: string): Finding[] {
  if (/\b(?:never|not|don['’]t)\b/i.test(line)) return [];
  return overrides
    .filter(([pattern]) => pattern.test(line))
    .map(([, problem]) => warning('overlay.contradiction', where, problem, 'Take it out.'));
}

function lintLength({ path, text }: Overlay): Finding[] {
  const tokens = Math.ceil(Buffer.byteLength(text) / 4);
  if (text.trim() === '')
    return [warning('overlay.length', path, 'it is empty', 'Say how it should work.')];
  if (tokens <= LONG_OVERLAY) return [];
  const problem = `it has about ${tokens} tokens, which every model call pays for`;
  const fix = `Keep it below ${LONG_OVERLAY}: move what several capsules need into a skill.`;
  return [warning('overlay.length', path, problem, fix)];
}

/** Fills in all templates, as an attempt would. */
function lintPrompt(context: LintContext): Finding[] {
  const { capsule } = context;
  const skills = namedSkills(context);
  const variables = { workspace_name: 'workspace', today: '2026-01-01', task_kind: 'work' };
  const mistakes: AppError<'TEMPLATE_INVALID'>[] = [];
  const report = (mistake: AppError<'TEMPLATE_INVALID'>) => {
    mistakes.push(mistake);
    if (mistakes.length === MAX_MISTAKES) throw mistake;
  };
  let systemPrompt = '';
  try {
    ({ systemPrompt } = composePrompt({ capsule, skills, variables, report }));
  } catch (error) {
    if (mistakes.length < MAX_MISTAKES) throw error;
  }
  if (mistakes.length > 0)
    return mistakes.map(({ details: { where, problem } }) => {
      const fix = 'Use a known variable (docs/capsules.md), or close the block.';
      return fault('overlay.variable', where, problem.replace(/\.$/, ''), fix);
    });
  const tokens = Math.ceil(Buffer.byteLength(systemPrompt) / 4);
  if (tokens <= LONG_PROMPT) return [];
  const problem = `the whole system prompt has about ${tokens} tokens`;
  const where = join(capsule.dir, 'manifest.json');
  const fix = `Keep it below ${LONG_PROMPT}: shorten the overlay, or name fewer skills.`;
  return [warning('prompt.length', where, problem, fix)];
}
