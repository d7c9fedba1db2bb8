import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const declared = /\b(histogram|counter|eventCounter|gauge|upDownCounter)\(\s*'([a-z0-9_.]+)'/g;

/** All series that a home exports to Prometheus, from the declarations of its metrics. */
export function seriesOf(root: string): Set<string> {
  const files = globSync(['packages/*/src/**/*.ts', 'services/*/src/**/*.ts'], { cwd: root });
  const series = new Set<string>(['up']);
  for (const file of files) {
    for (const [, kind, name] of readFileSync(join(root, file), 'utf8').matchAll(declared)) {
      const base = (name as string).replaceAll('.', '_');
      for (const end of endings[kind as keyof typeof endings]) series.add(`${base}${end}`);
    }
  }
  return series;
}

const endings = {
  histogram: ['_bucket', '_sum', '_count'],
  counter: ['_total'],
  eventCounter: ['_total'],
  gauge: [''],
  upDownCounter: [''],
};

/** The series in a PromQL expression: the names before braces. */
export function seriesIn(expression: string): string[] {
  return [...expression.matchAll(/\b([a-z][a-z0-9_]*)\{/g)].map((match) => match[1] as string);
}
