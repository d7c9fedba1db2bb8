import type { Schema, Value } from './value.ts';
import { values } from './values.ts';

const title = 'Made by `npm run chart` from scripts/chart/values.ts; change it there.';

/** values.yaml: every value with its default, below its description. */
export function valuesYaml(): string {
  return `# ${title}\n${members(values, '')}`;
}

function members(group: Record<string, Value>, indent: string): string {
  return Object.entries(group)
    .map(([name, value]) => {
      const head = `${indent}# ${value.help}\n${indent}${name}:`;
      if (value.members) return `${head}\n${members(value.members, `${indent}  `)}`;
      return `${head} ${JSON.stringify(value.default)}\n`;
    })
    .join(indent === '' ? '\n' : '');
}

/** values.schema.json: refuses undeclared values. */
export function valuesSchema(): string {
  const properties: Record<string, Schema> = {
    ...Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.schema])),
    // Helm's own, for charts that include this one.
    global: { type: 'object', description: 'Values that charts share; this one reads none.' },
  };
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties,
    additionalProperties: false,
  };
  return `${JSON.stringify(schema, null, 1)}\n`;
}

/** The chart's README.md, with a table of all values. */
export function readme(): string {
  return `# hearth

A home server for AIs and people, with a Deployment for each service or as a single pod. [docs/kubernetes.md](../../../docs/kubernetes.md) leads through an
install, [UPGRADING.md](UPGRADING.md) says what to look at before an upgrade.

\`\`\`sh
helm install home-a deploy/helm/hearth --namespace home-a --create-namespace --set home.name=a.example
helm test home-a --namespace home-a
\`\`\`

${title}

| Value | Default | Description |
|---|---|---|
${rows(values, '').join('\n')}
`;
}

function rows(group: Record<string, Value>, prefix: string): string[] {
  return Object.entries(group).flatMap(([name, value]) => {
    const path = `${prefix}${name}`;
    if (value.members) return rows(value.members, `${path}.`);
    const shown = JSON.stringify(value.default).replaceAll('|', '\\|');
    return [`| \`${path}\` | \`${shown}\` | ${value.help.replaceAll('|', '\\|').replaceAll('<', '&lt;')} |`];
  });
}
