/** The operations of each tool by their short names, as manifests grant them. */
export const toolOperations = {
  file_io: [
    ...(['list', 'read', 'search', 'write', 'append', 'edit', 'replace'] as const),
    ...(['rename', 'move', 'copy', 'delete'] as const),
  ],
  terminal: ['read', 'write'],
  python_exec: ['read', 'write'],
  sql_query: ['read', 'save', 'change'],
  web_fetch: ['GET'],
  http_api: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
} as const;
