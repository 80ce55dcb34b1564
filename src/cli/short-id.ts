const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The last 8 characters of the UUID of a run or question, as people see it. Other text is returned as it is. */
export const shortId = (id: string): string => (UUID.test(id) ? id.slice(-8) : id);
