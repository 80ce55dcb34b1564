import type { ToolDescription } from '../contract/wire/chat.ts';
import { grantedBy } from '../policy/grants/grants.ts';
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
  return [...tools].flatMap((tool) => {
    const grant = Object.hasOwn(granted, tool.name) ? granted[tool.name] : undefined;
    return grant ? [tool.offer(grantedBy(grant, grants.services))] : [];
  });
}
