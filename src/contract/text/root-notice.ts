/** A notice of every run as root. Surfaces for people leave it to the doctor; documents have it. */
export const ROOT_NOTICE =
  'Capstan runs as root, so commands and capsules can do more harm. Run it as a normal user.';
