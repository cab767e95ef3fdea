/**
 * What the program is run with. A smaller young generation: collections of it are short, and it
 * would else take twice its largest size, 32 MB, for good.
 */
export const nodeFlags = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=8'];
