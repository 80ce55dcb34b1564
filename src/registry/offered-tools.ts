import type { ToolDescription } from '../contract/chat.ts';
import { grantedBy } from '../policy/grants/granted.ts';
import { ASK_PERSON } from '../tools/ask-person.ts';
import type { Tool } from '../tools/define/tool.ts';
import type { Manifest, TaskKind } from './manifest/manifest.ts';

/** The tools of a capsule as its model gets them: only granted ones, each cut to its grant; if it is agentic, `ask_person` too. */
export function offeredTools(
  { grants }: Pick<Manifest, 'grants'>,
  mode: TaskKind['mode'],
  tools: Iterable<Pick<Tool, 'name' | 'offer'>>,
): ToolDescription[] {
  const granted: typeof grants.tools =
    mode === 'agentic' ? { ...grants.tools, [ASK_PERSON]: {} } : grants.tools;
  const known = offers.get(grants) ?? new WeakMap<object, ToolDescription>();
  offers.set(grants, known);
  return [...tools].flatMap((tool) => {
    const grant = Object.hasOwn(granted, tool.name) ? granted[tool.name] : undefined;
    if (!grant) return [];
    const offer = known.get(tool) ?? tool.offer(grantedBy(grant, grants.services));
    known.set(tool, offer);
    return [offer];
  });
}

/** The tools that were cut to the grants of a manifest: another manifest, or a changed one, has other grants. */
const offers = new WeakMap<Manifest['grants'], WeakMap<object, ToolDescription>>();
