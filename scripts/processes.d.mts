export declare function nameOfProcess(processId: number): string | undefined;
export declare function isAlive(name: string): boolean;
export declare function parentOf(processId: number): number | undefined;
export declare function commandLineOf(processId: number): string;
