// Tables of numbers, as weft writes them: a line of names, then lines of numbers. The last line may be half written.
export interface Table {
  names: string[];
  columns: Map<string, Float64Array>;
  length: number;
}

export function parseTable(text: string): Table | null {
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n').filter((line) => line !== '');
  if (lines.length === 0) return null;
  const names = lines[0]!.split(',');
  const rows = lines.slice(1).map((line) => line.split(',').map(Number)).filter((row) => row.length === names.length);
  const columns = new Map(names.map((name, i) => [name, Float64Array.from(rows, (row) => row[i]!)] as const));
  return { names, columns, length: rows.length };
}
