import { plain } from './plain.ts';

/** Formats rows under a heading in columns of fitting width. Removes characters that a terminal would act on. */
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

/** Formats names and values, one pair to a line. */
export function factsTable(facts: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...facts.map(([name]) => name.length));
  return facts.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n');
}
