import { useMutation, useQueryClient } from '@tanstack/react-query';

/** A change on the server, after which what the page has read under these names is read again. */
export function useChange<Input, Made>(
  change: (input: Input) => Promise<Made>,
  ...reread: readonly string[]
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () =>
      Promise.all(reread.map((name) => client.invalidateQueries({ queryKey: [name] }))),
  });
}
