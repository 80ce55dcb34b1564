import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { useOverview } from '../lib/use-overview.ts';

const names: Readonly<Record<string, string>> = {
  '': 'Home',
  approvals: 'Approvals',
  runs: 'Runs',
  capsules: 'Capsules',
  cost: 'Cost',
  health: 'Health',
};

/** Sets the title of the window: `(4) Approvals · Capstan`. */
export function TitleCount() {
  const [location] = useLocation();
  const waiting = useOverview().data?.waiting ?? 0;
  const name = names[location.split('/')[1] ?? ''] ?? 'Not found';
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${name} · Capstan`;
  }, [waiting, name]);
  return null;
}
