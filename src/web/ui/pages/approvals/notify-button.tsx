import { useState } from 'react';
import { Button } from '../../parts/button.tsx';

/** Asks the browser for permission to show notifications. */
export function NotifyButton() {
  const [permission, setPermission] = useState(() =>
    typeof Notification === 'undefined' ? 'denied' : Notification.permission,
  );
  if (permission !== 'default') {
    return permission === 'granted' ? <span className="sm dim">Notifications are on</span> : null;
  }
  return (
    <Button
      word="Notify me"
      onClick={async () => setPermission(await Notification.requestPermission())}
    />
  );
}
