export function digestFiles(folder: string, files: readonly string[]): string;
