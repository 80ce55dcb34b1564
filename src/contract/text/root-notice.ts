/** A notice of every run as root. Surfaces for people leave it to the doctor; documents have it. */
export const ROOT_NOTICE =
  'Capstan runs as root: what it runs for you may do more harm. Run it as a normal user.';
