import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { useOverview } from '../lib/use-overview.ts';
import { places } from './places.ts';

/** Sets the title of the window: `(4) Approvals · Capstan`. */
export function TitleCount() {
  const [location] = useLocation();
  const waiting = useOverview().data?.waiting ?? 0;
  const address = `/${location.split('/')[1] ?? ''}`;
  const name = places.find(([path]) => path === address)?.[1] ?? 'Not found';
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${name} · Capstan`;
  }, [waiting, name]);
  return null;
}
