import type { Declaration, VariableDescription } from './field.ts';

/** Describes every variable of a declaration, in order. */
export function describe(declaration: Declaration): VariableDescription[] {
  return Object.values(declaration).flatMap((field) => field.describe);
}

/** Formats the variables as the Markdown table of the operators' manual. */
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

/** Formats the variables for `--help`. */
export function helpText(rows: readonly VariableDescription[]): string {
  return rows
    .map((row) => {
      const file = row.fromFile ? ` (or ${row.name}_FILE)` : '';
      return `${row.name}${file}  [${row.unit}; default: ${row.default}]\n    ${row.meaning}\n`;
    })
    .join('');
}
