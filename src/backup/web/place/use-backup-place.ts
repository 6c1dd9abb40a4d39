import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { BackupPlace } from '#backup/place-contract.ts';
import { backupsQuery } from '#backup/web/backups-query.ts';
import { api, type ApiInput } from '#platform/web/api.ts';
import { formFailureOf, noFormFailure, withoutFieldErrors } from '#ui/web/form-errors.ts';

const queryKey = ['backup-place'];
/** The timeout of calls during which the server writes to the backup location or runs scrypt (ms). */
const timeout = 60_000;

/**
 * Reads the second backup location. `isRunning`: whether a backup is running; when it ends, the location is read again.
 */
export function useBackupPlace(isRunning = false) {
  const client = useQueryClient();
  useEffect(() => {
    if (!isRunning) void client.invalidateQueries({ queryKey });
  }, [client, isRunning]);
  return useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await api('GET /v1/backup-place', {}, { signal })).data,
    refetchInterval: 30_000,
  });
}

/** A mutation of the second backup location, with the failure of its last call, which the form shows. */
function useChange<Input>(change: (input: Input) => Promise<{ data: BackupPlace }>) {
  const client = useQueryClient();
  const [failure, setFailure] = useState(noFormFailure);
  const { mutate, isPending } = useMutation({
    mutationFn: change,
    onSuccess: ({ data }) => {
      client.setQueryData(queryKey, data);
      void client.invalidateQueries({ queryKey: backupsQuery.queryKey });
    },
    onError: (error) => {
      setFailure(formFailureOf(error));
      // Another owner may have changed the location, so it is read again.
      void client.invalidateQueries({ queryKey });
    },
  });
  return {
    isSending: isPending,
    message: failure.message,
    said: (field: string): string | undefined => failure.errors[field]?.[0],
    correct: (field: string) => setFailure(withoutFieldErrors(failure, field)),
    send(input: Input, onDone: () => void) {
      setFailure(noFormFailure);
      mutate(input, { onSuccess: onDone });
    },
  };
}

export const useSetPassphrase = () =>
  useChange((body: ApiInput<'POST /v1/backup-place/passphrase'>) =>
    api('POST /v1/backup-place/passphrase', body, { timeout }),
  );
export const useConfirmRecoverySheet = () =>
  useChange((body: ApiInput<'POST /v1/backup-place/sheet'>) => api('POST /v1/backup-place/sheet', body, { timeout }));
export const useSetSecondPlace = () =>
  useChange((body: ApiInput<'POST /v1/backup-place'>) => api('POST /v1/backup-place', body, { timeout }));
export const useRemoveSecondPlace = () => useChange<null>(() => api('DELETE /v1/backup-place', {}, { timeout }));
