//! Bytes back from the device.

use super::{Gpu, GpuError};
use std::time::Duration;

/// When all work is done the answer is a matter of microseconds.
const LONGEST_ANSWER: Duration = Duration::from_secs(10);

impl Gpu {
    /// Waits for all work on a buffer that can be mapped, and gives its bytes to `take`.
    pub fn read_mapped<T>(
        &self,
        buffer: &wgpu::Buffer,
        take: impl FnOnce(&[u8]) -> T,
    ) -> Result<T, GpuError> {
        let failed = |reason: String| GpuError::Readback(reason);
        let (sender, receiver) = std::sync::mpsc::channel();
        buffer.map_async(wgpu::MapMode::Read, .., move |result| {
            // The receiver lives until the end of this function.
            let _ = sender.send(result);
        });
        let waited = self.device.poll(wgpu::PollType::wait_indefinitely());
        self.check_alive()?;
        waited.map_err(|error| failed(error.to_string()))?;
        // Another thread that waits for the same device may be the one that is about to answer.
        match receiver.recv_timeout(LONGEST_ANSWER) {
            Ok(Ok(())) => {}
            Ok(Err(error)) => return Err(failed(error.to_string())),
            Err(_) => return Err(failed("it did not answer".into())),
        }
        let taken = {
            let mapped = buffer.get_mapped_range(..).map_err(|error| failed(error.to_string()))?;
            take(&mapped)
        };
        buffer.unmap();
        Ok(taken)
    }
}
