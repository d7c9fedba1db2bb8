import { ownVariables } from '@hearth/config';
import { dashboards } from './dashboards.ts';
import { readme, valuesSchema, valuesYaml } from './render.ts';
import { rules } from './rules.ts';

const json = (value: unknown) => `${JSON.stringify(value, null, 1)}\n`;

/** The chart's generated files, by path. */
export function chartFiles(): Record<string, string> {
  return {
    'values.yaml': valuesYaml(),
    'values.schema.json': valuesSchema(),
    'README.md': readme(),
    'files/rules.json': json(rules),
    'files/settings.json': json(ownVariables()),
    ...Object.fromEntries(
      Object.entries(dashboards).map(([name, dashboard]) => [`files/dashboards/${name}`, json(dashboard)]),
    ),
  };
}
