import * as z from 'zod';

interface JsonSchema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
}

/** The TypeScript type of a zod schema's output, written out: it names no package. */
export function typeOfSchema(schema: z.ZodType): string {
  const options = { io: 'output', reused: 'inline', unrepresentable: 'any' } as const;
  return typeOf(z.toJSONSchema(schema, options) as JsonSchema);
}

function typeOf(schema: JsonSchema): string {
  const any = schema.anyOf ?? schema.oneOf;
  if (any) return any.map(typeOf).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'number':
    case 'integer':
      return 'number';
    case 'array':
      return `(${typeOf(schema.items ?? {})})[]`;
    case 'object':
      return objectOf(schema);
    default:
      return 'unknown';
  }
}

function objectOf({ properties, required = [], additionalProperties }: JsonSchema): string {
  if (!properties) {
    const values =
      typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown';
    return `Record<string, ${values}>`;
  }
  const fields = Object.entries(properties).map(([name, value]) => {
    const key = /^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name);
    return required.includes(name)
      ? `${key}: ${typeOf(value)}`
      : `${key}?: ${typeOf(value)} | undefined`;
  });
  return `{ ${fields.join('; ')} }`;
}
