import { plain } from './plain.ts';

/** Rows under a heading, in columns as wide as they need to be. Characters that a terminal would act on are taken out of the cells. */
export function table(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [heading, ...rows].map((row) => row.map(plain));
  const widths = heading.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Facts by their names, one under the other. */
export function factsTable(facts: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...facts.map(([name]) => name.length));
  return facts.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n');
}
