/** Whether a header of the kind of Accept takes this by its very name. */
export function accepts(header: string | readonly string[] | undefined, name: string): boolean {
  return String(header ?? '')
    .toLowerCase()
    .split(',')
    .some((range) => {
      const [taken, ...parameters] = range.split(';').map((part) => part.trim());
      return taken === name && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    });
}
