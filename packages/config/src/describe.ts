import type { Declaration, VariableDescription } from './field.ts';

/** Every variable of a declaration, in its order. */
export function describe(declaration: Declaration): VariableDescription[] {
  return Object.values(declaration).flatMap((field) => field.describe);
}

/** The variables as the table of the operators' manual (Markdown). */
export function markdownTable(rows: readonly VariableDescription[]): string {
  const lines = rows.map((row) => {
    const name = row.fromFile ? `\`${row.name}\`, \`${row.name}_FILE\`` : `\`${row.name}\``;
    return `| ${[name, row.meaning, row.unit, row.default].map(cell).join(' | ')} |`;
  });
  return ['| Variable | Meaning | Unit | Default |', '|---|---|---|---|', ...lines, ''].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');
}

/** The variables as `--help` prints them. */
export function helpText(rows: readonly VariableDescription[]): string {
  return rows
    .map((row) => {
      const file = row.fromFile ? ` (or ${row.name}_FILE)` : '';
      return `${row.name}${file}  [${row.unit}; default: ${row.default}]\n    ${row.meaning}\n`;
    })
    .join('');
}
